package mail_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein/follow/deliver"
	"rein/follow/deliver/mail"
	"rein/household/post"
)

// A said is a line of testdata/server.py.
type said struct {
	Port      int
	Mechanism string
	Good      bool
	MailFrom  string `json:"mail_from"`
	To        []string
	TLS       bool
	Bytes     int
}

// A keeper is a mail server of aiosmtpd that wants TLS and a password.
type keeper struct {
	port  int
	roots *x509.CertPool
	lines *bufio.Scanner
}

// keep starts one. Where it cannot run the test is skipped, or fails if all must run.
func keep(t *testing.T, way, login string) *keeper {
	t.Helper()
	const python = "/usr/bin/python3" // Debian's, which has Debian's packages
	if err := exec.CommandContext(t.Context(), python, "-c", "import aiosmtpd").Run(); err != nil {
		const without = "mail over TLS is NOT tested with aiosmtpd: run make opensmtpd"
		if os.Getenv("CI") == "true" {
			t.Fatal(without)
		}
		t.Skip(without)
	}
	cert, key, roots := certificate(t)
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "server.py"), way, login, cert, key)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	_, err = cmd.StdinPipe() // it lives until this is closed
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	k := &keeper{roots: roots, lines: bufio.NewScanner(out)}
	k.port = k.next(t).Port
	return k
}

func (k *keeper) next(t *testing.T) (s said) {
	t.Helper()
	if !k.lines.Scan() {
		t.Fatal("the server says nothing more")
	}
	check(t, json.Unmarshal(k.lines.Bytes(), &s))
	return s
}

// A server that wants TLS and a password gets both, whichever way in it offers. A wrong password is tried again later, since
// whoever runs rein can put it right; a certificate that nobody vouches for ends the try before anything is said.
func TestLogin(t *testing.T) {
	t.Parallel()
	for _, way := range []string{mail.StartTLS, mail.TLS} {
		for _, login := range []string{"PLAIN", "LOGIN"} {
			t.Run(way+" "+login, func(t *testing.T) {
				t.Parallel()
				k := keep(t, way, login)
				password := "secret"
				m := mailer(t, mail.Options{
					Host: "localhost", Port: k.port, Security: way, From: "rein@example.org", User: "rein", Password: func() (string, error) { return password, nil },
				})
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				send := func() error {
					_, err := m.Send(ctx, to("ann@example.org", "en"), deliver.Message{ID: "m1", Kind: post.Reminder, Text: "Dentist.", At: at})
					return err
				}
				if err := send(); err == nil || !strings.Contains(err.Error(), "certificate") {
					t.Errorf("a certificate that nobody knows: %v", err)
				}
				m.Trust(k.roots)
				check(t, send())
				if in := k.next(t); !in.Good || in.Mechanism != login {
					t.Errorf("%+v", in)
				}
				if got := k.next(t); got.MailFrom != "rein@example.org" || len(got.To) != 1 || got.To[0] != "ann@example.org" || !got.TLS || got.Bytes == 0 {
					t.Errorf("%+v", got)
				}
				password = "wrong"
				err := send()
				if err == nil || deliver.IsGone(err) || deliver.IsNever(err) || strings.Contains(err.Error(), "wrong") || !strings.Contains(err.Error(), "does not let rein in") {
					t.Errorf("a wrong password: %v", err)
				}
			})
		}
	}
}

// Without TLS nothing is said: neither to a server that does not offer it, nor a password.
func TestNoTLS(t *testing.T) {
	t.Parallel()
	k := keep(t, mail.StartTLS, "PLAIN")
	m := mailer(t, mail.Options{
		Host: "127.0.0.1", Port: k.port, Security: mail.Plain, From: "rein@example.org", User: "rein", Password: func() (string, error) { return "", errors.New("$MAIL_PASSWORD: the variable is not set") },
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := m.Send(ctx, to("ann@example.org", "en"), deliver.Message{ID: "m1", Kind: post.Reminder, Text: "Dentist.", At: at}); err == nil || !strings.Contains(err.Error(), "$MAIL_PASSWORD") {
		t.Error(err)
	}
}

// certificate makes one for localhost, and returns its files and who trusts it.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	check(t, err)
	kept, err := x509.MarshalECPrivateKey(pair)
	check(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	check(t, os.WriteFile(cert, text, 0o600))
	check(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: kept}), 0o600))
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return cert, key, roots
}
