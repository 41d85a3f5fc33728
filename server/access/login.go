package access

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"mime"
	"net/http"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/server/wire"
)

var (
	//go:embed login.html
	loginHTML string
	//go:embed login.css
	loginStyle string

	loginPage   = template.Must(template.New("login").Parse(loginHTML))
	loginPolicy = "default-src 'none'; style-src '" + digest(loginStyle) + "'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// maxLink is the most that a login link or the form with one may have.
const maxLink = 1000

// Login serves /login. GET shows a page with a button, so that a preview of the link in a mail or a chat
// does not use the link up. POST logs the browser in and redirects to /.
func (a *Access) Login() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			link := r.URL.Query().Get("link")
			if len(link) > maxLink {
				link = ""
			}
			showLogin(w, http.StatusOK, link, "")
		case http.MethodPost:
			if err := a.login(w, r); err != nil {
				p := api.ProblemOf(err)
				if p.Status == http.StatusUnauthorized {
					setChallenge(w.Header(), true)
				}
				wire.SetRetryAfter(w.Header(), err)
				showLogin(w, p.Status, "", p.Detail)
			}
		default:
			w.Header().Set("Allow", "GET, HEAD, POST")
			wire.Problem(w, wire.Refuse(http.StatusMethodNotAllowed, rein.Errorf(rein.CodeInvalid, "/login does not support the method %.20q: use GET or POST", r.Method)))
		}
	})
}

func showLogin(w http.ResponseWriter, status int, link, problem string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", loginPolicy)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = loginPage.Execute(w, struct { // who hung up reads no error either
		Style         template.CSS
		Link, Problem string
	}{template.CSS(loginStyle), link, problem})
}

// login takes the form. It must come from our own page: else another site could log a browser in as
// someone whose link it has, and read what is entered then.
func (a *Access) login(w http.ResponseWriter, r *http.Request) error {
	if !a.isOwnPage(r) {
		return foreign("the form does not come from a page of this server: open the login link again")
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return rein.Errorf(rein.CodeInvalid, "the body is not a form")
	}
	r.Body = http.MaxBytesReader(wire.Bare(w), r.Body, maxLink)
	if err := r.ParseForm(); err != nil {
		return rein.Errorf(rein.CodeInvalid, "the form cannot be read")
	}
	cookie, _, err := a.o.People.UseLoginLink(r.Context(), r.PostForm.Get("link"))
	if err != nil {
		return a.refuse(a.address(r), a.o.Now(), err)
	}
	a.endFormer(r)
	a.setCookie(w, cookie, int(people.BrowserLife.Seconds()))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// endFormer ends the login that the browser had before, which nobody could end any more.
func (a *Access) endFormer(r *http.Request) {
	cookie, err := a.cookie(r)
	if err != nil {
		return
	}
	former, err := a.o.People.IdentifyBrowser(r.Context(), cookie)
	if err == nil {
		err = a.o.People.Logout(r.Context(), former)
	}
	if err != nil && rein.CodeOf(err) != rein.CodeUnauthenticated {
		a.o.Log.Warn("the previous login of a browser could not be ended; it expires by itself", "error", err)
	}
}

// setCookie keeps a secret in the browser, out of reach of scripts and other sites; a negative age
// takes it away.
func (a *Access) setCookie(w http.ResponseWriter, secret string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: a.cookieName(), Value: secret, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: a.o.TLS, SameSite: http.SameSiteStrictMode,
	})
}

// Logout serves POST /logout: it ends the login of the browser, and removes a cookie that has expired.
func (a *Access) Logout() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			wire.Problem(w, wire.Refuse(http.StatusMethodNotAllowed, rein.Errorf(rein.CodeInvalid, "/logout does not support the method %.20q: use POST", r.Method)))
			return
		}
		who, err := a.Who(r)
		if err == nil {
			err = a.o.People.Logout(r.Context(), who)
		}
		if err != nil && (rein.CodeOf(err) != rein.CodeUnauthenticated || !a.isOwnPage(r)) {
			wire.Problem(w, err)
			return
		}
		a.setCookie(w, "", -1)
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
	})
}

// CSRF returns what the browser that sent a request must send as X-CSRF-Token when it changes something.
// Clients with a token do not need it.
func (a *Access) CSRF(r *http.Request) string {
	if r.Header.Values("Authorization") != nil {
		return ""
	}
	cookie, err := a.cookie(r)
	if err != nil {
		return ""
	}
	return people.CSRF(cookie)
}
