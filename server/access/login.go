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
	"rein/internal/speech"
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

// maxForm is the most that a secret or a form with one may have.
const maxForm = 1000

// A door is a page on which people log in. GET shows a form, so that a preview of a link in a mail or a chat does not use the
// link up. POST logs the browser in and redirects to /.
type door struct {
	*Access
	path, field string // of the page, and of its form's secret
	words       speech.Words
	// open completes the page for a secret that came with the address.
	open func(r *http.Request, p *page) error
	// enter logs a browser in with a form.
	enter func(r *http.Request) (cookie string, err error)
}

// A page is what a door shows.
type page struct {
	Style                 template.CSS
	Language, Path, Field string
	Problem, Secret, Why  string
	AsksName, AsksCode    bool
	words                 speech.Words
}

// Say returns a word of the page.
func (p page) Say(key string) string { return p.words.Say(p.Language, key) }

// Login serves /login, where a login link leads.
func (a *Access) Login() http.Handler {
	return door{
		Access: a, path: "/login", field: "link", words: loginWords,
		open: func(_ *http.Request, p *page) error {
			p.Why = p.Say("why")
			return nil
		},
		enter: func(r *http.Request) (string, error) {
			cookie, _, err := a.o.People.UseLoginLink(r.Context(), r.PostForm.Get("link"), deviceOf(r))
			return cookie, err
		},
	}
}

// Join serves /join, where an invitation leads. The page says whose household it is.
func (a *Access) Join() http.Handler {
	return door{
		Access: a, path: "/join", field: "invite", words: joinWords,
		open: func(r *http.Request, p *page) error {
			invite, err := a.o.People.Invitation(r.Context(), p.Secret)
			if err != nil {
				return err
			}
			role := roleWords.Say(p.Language, string(invite.Role))
			if p.AsksName = invite.User == ""; p.AsksName {
				p.Why = joinWords.Say(p.Language, "why", invite.By, invite.Household, role)
			} else {
				p.Why = joinWords.Say(p.Language, "as", invite.By, invite.User, invite.Household, role)
			}
			return nil
		},
		enter: func(r *http.Request) (string, error) {
			cookie, _, err := a.o.People.UseInvite(r.Context(), r.PostForm.Get("invite"), r.PostForm.Get("name"), deviceOf(r))
			return cookie, err
		},
	}
}

// Pair serves /pair, where people type a pairing code.
func (a *Access) Pair() http.Handler {
	return door{
		Access: a, path: "/pair", words: pairWords,
		enter: func(r *http.Request) (string, error) {
			cookie, _, err := a.o.People.UsePairing(r.Context(), r.PostForm.Get("code"), deviceOf(r))
			return cookie, err
		},
	}
}

// ServeHTTP implements http.Handler.
func (d door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		d.show(w, r, http.StatusOK, r.URL.Query().Get(d.field), nil)
	case http.MethodPost:
		if err := d.login(w, r); err != nil {
			p := api.ProblemOf(err)
			if p.Status == http.StatusUnauthorized {
				setChallenge(w.Header(), true)
			}
			wire.SetRetryAfter(w.Header(), err)
			secret := ""
			if rein.CodeOf(err) == rein.CodeConflict || rein.CodeOf(err) == rein.CodeInvalid { // another name may do
				secret = r.PostForm.Get(d.field)
			}
			d.show(w, r, p.Status, secret, err)
		}
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		wire.Problem(w, wire.Refuse(http.StatusMethodNotAllowed, rein.Errorf(rein.CodeInvalid, "%s does not support the method %.20q: use GET or POST", d.path, r.Method)))
	}
}

// show answers with the page, and with what went wrong.
func (d door) show(w http.ResponseWriter, r *http.Request, status int, secret string, problem error) {
	p := page{Style: template.CSS(loginStyle), Language: languageOf(r.Header.Get("Accept-Language")), Path: d.path, Field: d.field, AsksCode: d.field == "", words: d.words}
	if d.field != "" && secret != "" && len(secret) <= maxForm {
		p.Secret = secret
		if err := d.open(r, &p); err != nil {
			p.Secret = ""
			if err = d.refuse(d.address(r), d.o.Now(), err); problem == nil {
				status, problem = api.ProblemOf(err).Status, err
			}
			if status == http.StatusUnauthorized {
				setChallenge(w.Header(), true)
			}
		}
	}
	if problem != nil {
		p.Problem = problemIn(p.Language, rein.CodeOf(problem), api.ProblemOf(problem).Detail)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", loginPolicy)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = loginPage.Execute(w, p) // who hung up reads no error either
}

// login takes the form. It must come from our own page: else another site could log a browser in as
// someone whose link it has, and read what is entered then.
func (d door) login(w http.ResponseWriter, r *http.Request) error {
	if !d.isOwnPage(r) {
		return foreign("the form does not come from a page of this server: open the login link again")
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return rein.Errorf(rein.CodeInvalid, "the body is not a form")
	}
	r.Body = http.MaxBytesReader(wire.Bare(w), r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return rein.Errorf(rein.CodeInvalid, "the form cannot be read")
	}
	cookie, err := d.enter(r)
	if err != nil {
		return d.refuse(d.address(r), d.o.Now(), err)
	}
	d.endFormer(r)
	d.setCookie(w, cookie, int(people.BrowserLife.Seconds()))
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
