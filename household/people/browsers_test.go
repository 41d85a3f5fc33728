package people_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/household/people"
	"rein/store"
)

// counting counts the writes of people.
type counting struct {
	inner store.Tables
	n     atomic.Int64
	fail  bool
}

func (c *counting) Read(ctx context.Context, do func(context.Context, store.Query) error) error {
	return c.inner.Read(ctx, do)
}

func (c *counting) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	c.n.Add(1)
	if c.fail {
		return errors.New("the disk is full")
	}
	return c.inner.Write(ctx, do)
}

func (c *counting) writes() int64 { return c.n.Load() }

// Attack: 12
func TestLinkIsGoodOnce(t *testing.T) {
	r := newRig(t)
	link := r.link("owner")
	var wait sync.WaitGroup
	var in atomic.Int64
	for range 10 {
		wait.Go(func() {
			if _, _, err := r.UseLoginLink(context.Background(), link, ""); err == nil {
				in.Add(1)
			} else {
				refused(t, err, rein.CodeUnauthenticated, "used before")
			}
		})
	}
	wait.Wait()
	if in.Load() != 1 {
		t.Errorf("a link let %d in", in.Load())
	}
}

func TestLinksRefused(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	bot := r.add("bot", rein.Service)
	use := func(link string, code rein.Code, words ...string) {
		t.Helper()
		cookie, _, err := r.UseLoginLink(t.Context(), link, "")
		refused(t, err, code, words...)
		if cookie != "" {
			t.Error("there is a cookie all the same")
		}
	}
	_, err := r.NewLoginLink(t.Context(), rein.Host(), bot.User)
	refused(t, err, rein.CodeInvalid, "service")
	_, err = r.NewLoginLink(t.Context(), rein.Host(), "nobody")
	refused(t, err, rein.CodeNotFound)
	adminOnly := rein.Host()
	adminOnly.Scopes = []rein.Scope{rein.ScopeAdmin}
	_, err = r.NewLoginLink(t.Context(), adminOnly, "ann")
	refused(t, err, rein.CodeForbidden, "more than your own")

	token, _ := r.token("ann")
	for _, link := range []string{"", "x", token, "reinlink_aaaaaaaaaaaa_" + strings.Repeat("a", 26)} {
		use(link, rein.CodeUnauthenticated)
	}
	late := r.link("ann")
	r.pass(people.LinkLife)
	use(late, rein.CodeUnauthenticated, "expired")

	service := r.link("ann")
	check(t, r.SetRole(t.Context(), rein.Host(), "ann", rein.Service))
	use(service, rein.CodeUnauthenticated)
	check(t, r.SetRole(t.Context(), rein.Host(), "ann", rein.Member))
	disabled := r.link("ann")
	check(t, r.DisableUser(t.Context(), rein.Host(), "ann"))
	use(disabled, rein.CodeUnauthenticated)
	check(t, r.EnableUser(t.Context(), rein.Host(), "ann"))
	use(disabled, rein.CodeUnauthenticated)
	ended := r.link("ann")
	check(t, r.LogoutEverywhere(t.Context(), rein.Host(), "ann"))
	use(ended, rein.CodeUnauthenticated)
}

func TestBrowserEnds(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	is := func(cookie string, words ...string) {
		t.Helper()
		who, err := r.IdentifyBrowser(t.Context(), cookie)
		if len(words) > 0 {
			refused(t, err, rein.CodeUnauthenticated, words...)
		} else if err != nil || who.User != "ann" {
			t.Errorf("%v: %v", who, err)
		}
	}
	out, ann := r.browser("ann")
	stays, _ := r.browser("ann")
	is(out)
	check(t, r.Logout(t.Context(), ann))
	is(out, "was ended")
	is(stays)
	check(t, r.LogoutEverywhere(t.Context(), ann, "ann"))
	is(stays, "was ended")

	idle, _ := r.browser("ann")
	r.pass(6 * 24 * time.Hour)
	is(idle)
	r.pass(7 * 24 * time.Hour)
	is(idle, "7 days")

	old, _ := r.browser("ann")
	for range 9 {
		r.pass(3 * 24 * time.Hour)
		is(old)
	}
	r.pass(3 * 24 * time.Hour)
	is(old, "expired")
	is("", "not a login")
	is("reinweb_aaaaaaaaaaaa_"+strings.Repeat("a", 26), "not known")

	first, _ := r.browser("ann")
	for range 20 {
		r.pass(time.Second)
		r.browser("ann")
	}
	is(first, "not known") // no more than twenty stay logged in
	refused(t, r.Logout(t.Context(), rein.Host()), rein.CodeInvalid, "revoke")
}

func TestWatch(t *testing.T) {
	r := newRig(t)
	r.add("ann", rein.Member)
	_, id := r.token("ann")
	var told []string
	stop := r.Watch(func(household, user string) { told = append(told, household+"/"+user) })
	check(t, r.RevokeToken(t.Context(), rein.Host(), id))
	check(t, r.SetRole(t.Context(), rein.Host(), "ann", rein.Viewer))
	_, ann := r.browser("ann")
	check(t, r.Logout(t.Context(), ann))
	check(t, r.DisableUser(t.Context(), rein.Host(), "ann"))
	_ = r.RevokeToken(t.Context(), rein.Host(), "none")
	stop()
	check(t, r.EnableUser(t.Context(), rein.Host(), "ann"))
	if got := strings.Join(told, " "); got != strings.TrimSpace(strings.Repeat("home/ann ", 4)) {
		t.Error(got)
	}
}

func TestCSRF(t *testing.T) {
	r := newRig(t)
	one, _ := r.browser("owner")
	two, _ := r.browser("owner")
	if !people.IsCSRF(one, people.CSRF(one)) || people.IsCSRF(one, people.CSRF(two)) || people.IsCSRF(one, "") || strings.Contains(people.CSRF(one), one[len(one)-26:]) {
		t.Error("what proves a page proves too much, or too little")
	}
}

// FuzzCredentials gives every reader of credentials any text.
func FuzzCredentials(f *testing.F) {
	for _, seed := range []string{"", "rein_", "rein_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa", "reinlink_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaa", "reinweb__", "rein_\x00", "rein_éééééé_aaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		f.Add(seed)
	}
	p := &people.People{Tables: none{}}
	f.Fuzz(func(t *testing.T, text string) {
		_, one := p.Identify(t.Context(), text)
		_, two := p.IdentifyBrowser(t.Context(), text)
		_, _, three := p.UseLoginLink(t.Context(), text, "")
		for _, err := range []error{one, two, three} {
			refused(t, err, rein.CodeUnauthenticated)
			if text != "" && len(text) > 30 && strings.Contains(err.Error(), text) {
				t.Errorf("%v repeats what was sent", err)
			}
		}
		if people.IsCSRF(text, text) {
			t.Errorf("%q proves itself", text)
		}
	})
}

// none is tables without a row: a reader that is let through to them finds nobody.
type none struct{}

func (none) Read(context.Context, func(context.Context, store.Query) error) error { return nil }

func (none) Write(context.Context, func(context.Context, rein.Tx) error) error {
	return errors.New("something was written")
}
