package access_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"rein"

	"rein/server/access"
)

// TestLogin goes the way of a browser: the link, the page, the button, the API, the end.
//
// Attack: 12
func TestLogin(t *testing.T) {
	r := newRig(t, access.Options{})
	s := httptest.NewServer(r.handler)
	t.Cleanup(s.Close)
	jar, err := cookiejar.New(nil)
	check(t, err)
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	do := func(method, path, body string, headers ...string) (*http.Response, string) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
		check(t, err)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			q.Header.Set(name, value)
		}
		answer, err := browser.Do(q)
		check(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		check(t, err)
		return answer, string(text)
	}
	link, origin := r.link("owner"), "Origin: "+s.URL
	for range 3 { // previews do not use it up
		if answer, page := do("GET", "/login?link="+link, ""); answer.StatusCode != 200 || !strings.Contains(page, `value="`+link+`"`) {
			t.Fatal(answer.Status, page)
		}
	}
	answer, _ := do("POST", "/login", url.Values{"link": {link}}.Encode(), origin, "Content-Type: application/x-www-form-urlencoded")
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/" {
		t.Fatal(answer.Status)
	}
	_, body := do("GET", "/v1/me", "")
	_, token, _ := strings.Cut(body, `"csrf":"`)
	token, _, _ = strings.Cut(token, `"`)
	if answer, body = do("POST", "/act", "x", origin, "X-CSRF-Token: "+token); answer.StatusCode != 200 || !strings.HasPrefix(body, "owner sent 1") {
		t.Error(answer.Status, body)
	}
	if answer, _ = do("POST", "/logout", "", origin); answer.StatusCode != 403 {
		t.Error(answer.Status)
	}
	if answer, _ = do("POST", "/logout", "", origin, "X-CSRF-Token: "+token); answer.StatusCode != 204 {
		t.Error(answer.Status)
	}
	if answer, _ = do("GET", "/v1/me", ""); answer.StatusCode != 401 {
		t.Error(answer.Status)
	}
}

// Attack: 18
func TestCookieFlags(t *testing.T) {
	for tls, want := range map[bool]string{
		false: "rein_session=SECRET; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict",
		true:  "__Host-rein=SECRET; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict",
	} {
		r := newRig(t, access.Options{TLS: tls})
		origin := "Origin: http://localhost:7717"
		if tls {
			origin = "Origin: https://localhost:7717"
		}
		answer := r.want(form(r.link("owner"), origin), 303)
		set := answer.Header.Values("Set-Cookie")
		if len(set) != 1 {
			t.Fatal(set)
		}
		secret := answer.Cookies()[0].Value
		if got := strings.Replace(set[0], secret, "SECRET", 1); got != want || !strings.HasPrefix(secret, "reinweb_") {
			t.Errorf("the cookie is %q", got)
		}
		name, _, _ := strings.Cut(want, "=")
		r.want(get("/v1/me", "Cookie: "+name+"="+secret), 200)
		gone := r.want(post("/logout", "Cookie: "+name+"="+secret, origin, csrf(secret)), 204).Header.Get("Set-Cookie")
		if !strings.HasPrefix(gone, name+"=; Path=/; Max-Age=0; HttpOnly") {
			t.Errorf("the cookie is taken away by %q", gone)
		}
		r.want(get("/v1/me", "Cookie: "+name+"="+secret), 401, "ended")
	}
}

// Attack: 15
func TestLoginRefused(t *testing.T) {
	r := newRig(t, access.Options{})
	link := r.link("owner")
	for name, c := range map[string]struct {
		request
		status int
		word   string
	}{
		"other page":    {form(link, otherPage), 403, "a page of this server"},
		"no page":       {form(link), 403, "a page of this server"},
		"null":          {form(link, "Origin: null"), 403, "a page of this server"},
		"JSON":          {request{"POST", "/login", []string{ownPage, "Content-Type: application/json"}, `{"link":"` + link + `"}`}, 400, "not a form"},
		"in the query":  {request{"POST", "/login?link=" + link, form("", ownPage).headers, ""}, 401, "not a login link"},
		"nothing":       {form("", ownPage), 401, "not a login link"},
		"a token":       {form("rein_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa", ownPage), 401, "not a login link"},
		"unknown":       {form("reinlink_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa", ownPage), 401, "not known"},
		"markup":        {form("<script>alert(1)</script>", ownPage), 401, "not a login link"},
		"long":          {form(strings.Repeat("a", 2000), ownPage), 400, "cannot be read"},
		"other method":  {request{"PUT", "/login", nil, ""}, 405, "use GET or POST"},
		"logout by GET": {get("/logout"), 405, "POST"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{TB: t, handler: r.handler}
			if h := r.want(c.request, c.status, c.word).Header; h.Get("Set-Cookie") != "" {
				t.Error("there is a cookie")
			}
		})
	}
	first := r.want(form(link, ownPage), 303).Cookies()[0].Value // none of that used it up
	r.want(form(link, ownPage), 401, "used before")

	r.want(form(r.link("owner"), ownPage, session(first)), 303)
	r.want(get("/v1/me", session(first)), 401, "ended") // the browser has a new login in its place
}

func TestLogoutRefused(t *testing.T) {
	r := newRig(t, access.Options{})
	cookie := r.cookie("owner")
	token, _ := r.token("owner")
	r.want(post("/logout", session(cookie), otherPage, csrf(cookie)), 403)
	r.want(post("/logout", session(cookie), ownPage), 403)
	r.want(post("/logout", bearer(token)), 400, "revoke")
	r.want(post("/logout"), 401)
	r.want(get("/v1/me", session(cookie)), 200)
	check(t, r.LogoutEverywhere(t.Context(), rein.Host(), "owner"))
	if h := r.want(post("/logout", session(cookie), ownPage), 204).Header; h.Get("Set-Cookie") == "" {
		t.Error("a cookie that is no good stays")
	}
}

func TestLoginPage(t *testing.T) {
	r := newRig(t, access.Options{})
	answer := r.want(get("/login?link="+url.QueryEscape(`"><script>alert(1)</script>`)), 200, "&lt;script&gt;", "<style>body {")
	if h := answer.Header; h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Content-Security-Policy"), "form-action 'self'") {
		t.Error(h)
	}
	r.want(get("/login"), 200, "open a login link")
	r.want(get("/login?link="+strings.Repeat("a", 1001)), 200, "open a login link")
	r.want(get("/login?link=%zz;"), 200, "open a login link")
}

func TestLoginURL(t *testing.T) {
	for _, c := range []struct {
		o    access.Options
		want string
	}{
		{access.Options{}, "http://127.0.0.1:7717/login?link=x"},
		{access.Options{Listen: "[::1]:80", TLS: true}, "https://[::1]:80/login?link=x"},
		{access.Options{Listen: "0.0.0.0:80"}, "http://localhost:80/login?link=x"},
		{access.Options{Listen: ":80", Hosts: []string{"rein.example.org"}}, "http://rein.example.org:80/login?link=x"},
	} {
		if got := newRig(t, c.o).access.LoginURL("x"); got != c.want {
			t.Errorf("%+v: %s", c.o, got)
		}
	}
}
