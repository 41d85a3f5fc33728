package cli

import (
	"strings"
	"testing"
	"time"
)

// The doctor knows what rein serve would not start with, and what should not stay so.
func TestDoctorServer(t *testing.T) {
	t.Parallel()
	h := newHome(t, tlsSettings+"listen = \"0.0.0.0:7717\"\n[webhooks.phone]\nurl = \"https://example.org\"\nsecret_env = \"HOOK_SECRET\"\n")
	says := func(code int, want ...string) {
		t.Helper()
		out, _, got := h.rein("doctor")
		if got != code {
			t.Errorf("exit %d, want %d:\n%s", got, code, out)
		}
		for _, line := range want {
			if !strings.Contains(out, line) {
				t.Errorf("rein doctor does not say %q, but:\n%s", line, out)
			}
		}
	}
	says(exitWrong, "wrong  certificate", "no such file", "wrong  webhook      phone: $HOOK_SECRET: the variable is not set")
	h.env = append(h.env, "HOOK_SECRET=0123456789abcdef0123456789abcdef")
	h.newCertificate(time.Now().Add(-time.Hour))
	says(exitWrong, "wrong  certificate", " expired on ", "ok     webhook      phone has its secret")
	h.newCertificate(time.Now().Add(time.Hour))
	says(exitOK, "warn   certificate", " is valid until ")
	h.newCertificate(time.Now().Add(1000 * time.Hour))
	says(exitOK, "ok     certificate")
	h.write(".config/rein/rein.toml", "[server]\nlisten = \"0.0.0.0:7717\"\n")
	says(exitOK, "warn   server       other machines can connect to 0.0.0.0:7717, and the connection is not encrypted: set server.tls_cert")
}
