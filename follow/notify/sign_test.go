package notify_test

import (
	"strings"
	"testing"
	"time"

	"rein"
	"rein/follow/notify"
)

// The vectors were made with another program, so that receivers in any language can be held to them.
func TestSignVectors(t *testing.T) {
	for _, v := range []struct {
		secret string
		at     int64
		body   string
		want   string
	}{
		{"0123456789abcdef", 1700000000, `{"id":"1"}`, "t=1700000000,v1=d5f5834972cbc6cf5590800c46ccaa0cd6c16f19c0c73dbdf9b4c56390cbc2a3"},
		{"kéy-of-some-length", 0, "", "t=0,v1=85e73deb2a4b96693eea8242c1e986eaabcb30fca64a8a60177ee1f2fbbc3279"},
	} {
		at := time.Unix(v.at, 0)
		if got := notify.Sign(v.secret, at, []byte(v.body)); got != v.want {
			t.Errorf("%q %d %q: %s, want %s", v.secret, v.at, v.body, got, v.want)
		}
		if err := notify.Verify(v.secret, v.want, []byte(v.body), at); err != nil {
			t.Error(err)
		}
	}
}

// A signature is good for its body, its secret and a few minutes.
func TestVerify(t *testing.T) {
	now := time.Unix(1700000000, 0)
	body := []byte(`{"id":"1"}`)
	good := notify.Sign(secret, now, body)
	_, hex, _ := strings.Cut(good, "v1=")
	for _, c := range []struct {
		what, secret, header, body string
		now                        time.Time
		ok                         bool
	}{
		{"good", secret, good, string(body), now, true},
		{"with spaces and what is not known", secret, " v0=x, " + strings.Replace(good, ",", " , ", 1), string(body), now, true},
		{"a second secret's signature beside it", secret, good + ",v1=" + strings.Repeat("0", 64), string(body), now, true},
		{"five minutes late", secret, good, string(body), now.Add(notify.Tolerance), true},
		{"later", secret, good, string(body), now.Add(notify.Tolerance + time.Second), false},
		{"from the future", secret, good, string(body), now.Add(-notify.Tolerance - time.Second), false},
		{"another body", secret, good, string(body) + " ", now, false},
		{"another secret", secret + "x", good, string(body), now, false},
		{"no secret", "", good, string(body), now, false},
		{"another time", secret, "t=1700000001,v1=" + hex, string(body), now, false},
		{"two times", secret, "t=1700000000," + good, string(body), now, false},
		{"no time", secret, "v1=" + hex, string(body), now, false},
		{"no signature", secret, "t=1700000000", string(body), now, false},
		{"an old version only", secret, "t=1700000000,v0=" + hex, string(body), now, false},
		{"cut short", secret, good[:len(good)-2], string(body), now, false},
		{"empty signature", secret, "t=1700000000,v1=", string(body), now, false},
		{"a time that is none", secret, "t=99999999999999999999,v1=" + hex, string(body), now, false},
		{"empty", secret, "", string(body), now, false},
		{"long", secret, good + strings.Repeat(",v1=00", 500), string(body), now, false},
	} {
		err := notify.Verify(c.secret, c.header, []byte(c.body), c.now)
		if (err == nil) != c.ok || err != nil && rein.CodeOf(err) != rein.CodeUnauthorized {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// Whatever the header, it is refused without a panic unless it holds the true signature.
func FuzzVerify(f *testing.F) {
	now := time.Unix(1700000000, 0)
	f.Add(notify.Sign(secret, now, nil), []byte("x"))
	f.Add("t=,v1=,,=", []byte{})
	f.Add("t=-9223372036854775808,v1=00", []byte("x"))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		_, hex, _ := strings.Cut(notify.Sign(secret, now, body), "v1=")
		if err := notify.Verify(secret, header, body, now); err == nil && !strings.Contains(strings.ToLower(header), hex[:8]) {
			t.Errorf("%q is taken for %q", header, body)
		}
	})
}
