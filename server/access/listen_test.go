package access_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/server/access"
)

func TestCheckListen(t *testing.T) {
	for _, c := range []struct {
		addr           string
		tls, hasTokens bool
		code           rein.Code
		warnings       int
	}{
		{"127.0.0.1:7717", false, false, "", 0},
		{"127.3.2.1:0", false, false, "", 0},
		{"localhost:7717", false, false, "", 0},
		{"[::1]:7717", false, false, "", 0},
		{"[::ffff:127.0.0.1]:7717", false, false, "", 0},
		{"0.0.0.0:7717", false, false, rein.CodeForbidden, 0},
		{":7717", true, false, rein.CodeForbidden, 0},
		{"[::]:7717", false, false, rein.CodeForbidden, 0},
		{"192.0.2.7:7717", true, false, rein.CodeForbidden, 0},
		{"rein.example.org:7717", false, false, rein.CodeForbidden, 0},
		{"localhost.example.org:7717", false, false, rein.CodeForbidden, 0},
		{"0.0.0.0:7717", false, true, "", 1},
		{"192.0.2.7:7717", true, true, "", 0},
		{"7717", false, true, rein.CodeInvalid, 0},
		{"localhost", false, true, rein.CodeInvalid, 0},
		{"localhost:", false, true, rein.CodeInvalid, 0},
		{"", false, true, rein.CodeInvalid, 0},
	} {
		warnings, err := access.CheckListen(c.addr, c.tls, c.hasTokens)
		if rein.CodeOf(err) != c.code || len(warnings) != c.warnings {
			t.Errorf("%+v: %q, %v", c, warnings, err)
		}
	}
}

// A folder has a certificate and its key.
type folder struct {
	*testing.T
	cert, key string
	version   time.Time
}

// write makes a new pair that names the host.
func (f *folder) write(host string) {
	f.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(f, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	check(f, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	check(f, err)
	f.put(f.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	f.put(f.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// put writes a file that is newer than what was written before, however coarse the clock of the disk.
func (f *folder) put(name string, data []byte) {
	f.Helper()
	f.version = f.version.Add(time.Second)
	check(f, os.WriteFile(name, data, 0o600))
	check(f, os.Chtimes(name, f.version, f.version))
}

// Attack: 18
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	f := &folder{t, filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), time.Now()}
	_, err := access.TLS(f.cert, f.key, nil)
	wantCode(t, err, rein.CodeInvalid, "cert.pem", "key.pem")
	f.write("one.example.org")
	var told bytes.Buffer
	config, err := access.TLS(f.cert, f.key, slog.New(slog.NewTextHandler(&told, nil)))
	check(t, err)

	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	check(t, err)
	s := &http.Server{Handler: http.NotFoundHandler(), ErrorLog: log.New(io.Discard, "", 0)}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	name := func() string {
		t.Helper()
		// The name is what the test looks at, so it does not have to be trusted.
		conn, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
		check(t, err)
		defer conn.Close()
		if p := conn.ConnectionState().NegotiatedProtocol; p != "h2" {
			t.Errorf("it speaks %q", p)
		}
		return conn.ConnectionState().PeerCertificates[0].DNSNames[0]
	}
	see := func(want string) {
		t.Helper()
		if got := name(); got != want {
			t.Errorf("the certificate is of %s, want %s", got, want)
		}
	}
	see("one.example.org")
	f.write("two.example.org")
	see("two.example.org")
	f.put(f.cert, []byte("not a certificate"))
	see("two.example.org")
	see("two.example.org")
	if n := strings.Count(told.String(), "the old one stays"); n != 1 {
		t.Errorf("it was told %d times: %s", n, &told)
	}
	check(t, os.Remove(f.cert))
	see("two.example.org")
	f.write("three.example.org")
	see("three.example.org")

	_, err = tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})
	if err == nil {
		t.Error("TLS 1.1 is good enough")
	}
}
