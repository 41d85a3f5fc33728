package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// One process serves a data folder; the second is told who has it.
func TestServeTwice(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve()
	s.refuses(exitWrong, "at "+s.url+": `rein serve quit` ends it and keeps its runs, or use another data folder with --data", "serve", "--listen", "127.0.0.1:0")
	s.call(http.StatusOK, "GET", "/healthz", nil)
}

// An address that is taken leaves nothing locked.
func TestServeTaken(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	h.check(err)
	defer taken.Close()
	h.refuses(exitWrong, "another program uses "+taken.Addr().String()+": stop it, or choose another address with --listen", "serve", "--listen", taken.Addr().String())
	h.serve().end(syscall.SIGTERM)
}

func TestServeListenWrong(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.refuses(exitUsage, "--listen", "serve", "--listen", "here")
	h.refuses(exitUsage, "--listen", "serve", "--listen", "127.0.0.1:99999")
	h.refuses(exitUsage, "serve does not take", "serve", "now")
}

// Where others can connect there must be a token, and a warning if nothing is encrypted.
func TestServeElsewhere(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[server]\nhosts = [\"rein.example\"]\n")
	h.refuses(exitUsage, "`rein tokens new LABEL` makes one", "serve", "--listen", "0.0.0.0:0")
	token := h.ok("tokens", "new", "phone")
	s := h.serve("--listen", "0.0.0.0:0")
	if !strings.HasPrefix(s.url, "http://rein.example:") || !strings.Contains(s.link, s.url) {
		t.Errorf("it is reached at %s, with %s", s.url, s.link)
	}
	s.url = strings.Replace(s.url, "rein.example", "127.0.0.1", 1)
	s.token = token
	s.call(http.StatusOK, "GET", "/v1/me", nil)
	s.end(syscall.SIGTERM)
	if !strings.Contains(s.errors.String(), "not encrypted") {
		t.Errorf("there is no warning:\n%s", s.errors)
	}
}

// Behind a proxy the address that people use is the one that is printed, and its name is known.
func TestServeBehindProxy(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[server]\nurl = \"https://rein.example.org/\"\n")
	s := h.serve()
	if s.url != "https://rein.example.org" || !strings.HasPrefix(s.link, s.url+"/login?link=") {
		t.Errorf("the banner is:\n%s", s.banner)
	}
	if got := s.ok("login"); !strings.HasPrefix(got, s.url+"/login?link=") {
		t.Errorf("rein login: %s", got)
	}
	listens := regexp.MustCompile(`(?m)^  listens  (127\.0\.0\.1:[1-9]\d+)$`).FindStringSubmatch(s.banner)
	if listens == nil {
		t.Fatalf("the banner is:\n%s", s.banner)
	}
	for host, want := range map[string]int{"rein.example.org": http.StatusOK, "elsewhere.example": http.StatusMisdirectedRequest} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+listens[1]+"/healthz", nil)
		s.check(err)
		r.Host = host
		answer, err := s.client.Do(r)
		s.check(err)
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("as %s: %s, want %d", host, answer.Status, want)
		}
	}
}

// newCertificate writes a certificate for 127.0.0.1 and its key, good until then.
func (h *home) newCertificate(until time.Time) *x509.CertPool {
	h.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	h.check(err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "rein"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-100 * 24 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	h.check(err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	h.check(err)
	h.write("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	h.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	parsed, err := x509.ParseCertificate(cert)
	h.check(err)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return pool
}

const tlsSettings = "[server]\ntls_cert = \"../../cert.pem\"\ntls_key = \"../../key.pem\"\n"

func TestServeTLS(t *testing.T) {
	t.Parallel()
	h := newHome(t, tlsSettings)
	h.refuses(exitUsage, "cert.pem", "serve", "--listen", "127.0.0.1:0")
	h.write("cert.pem", "not a certificate")
	h.write("key.pem", "not a key")
	h.refuses(exitUsage, "server.tls_cert", "serve", "--listen", "127.0.0.1:0")
	pool := h.newCertificate(time.Now().Add(time.Hour))
	s := h.serve()
	if !strings.HasPrefix(s.url, "https://127.0.0.1:") || !strings.HasPrefix(s.link, s.url) {
		t.Errorf("the banner is:\n%s", s.banner)
	}
	s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	s.withToken()
	answer := s.do("GET", "/v1/me", nil)
	if answer.StatusCode != http.StatusOK || answer.ProtoMajor != 2 {
		t.Errorf("%s %s", answer.Proto, answer.Status)
	}
	run := s.start("Hi.")
	if info := s.finished(run.ID); info.Outcome == nil || info.Outcome.Text != "Hello." {
		t.Errorf("the run came to %+v", info)
	}
	s.token = ""
	s.login(s.link)
	s.read("/v1/me", &struct{}{})
}
