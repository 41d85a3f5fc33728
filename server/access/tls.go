package access

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"rein"
)

// TLS returns the settings for a listener with the certificate and key of two files. When the files
// change, the next connection has the new ones; if those do not work the old ones stay, and log is
// told. A nil log is silent.
func TLS(certFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	p := &pair{certFile: certFile, keyFile: keyFile, log: log}
	if err := p.load(); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return p.current(), nil
		},
	}, nil
}

// A pair is a certificate with its key, as the files were when they were last read.
type pair struct {
	certFile, keyFile string
	log               *slog.Logger

	mu   sync.Mutex
	cert *tls.Certificate
	seen [2]stamp
}

// A stamp tells one version of a file from the next.
type stamp struct {
	at   time.Time
	size int64
}

func (p *pair) stamps() (s [2]stamp, err error) {
	for i, name := range []string{p.certFile, p.keyFile} {
		info, statErr := os.Stat(name)
		if statErr != nil {
			err = errors.Join(err, statErr)
			continue
		}
		s[i] = stamp{info.ModTime(), info.Size()}
	}
	return s, err
}

// load reads the files. What was read before stays if they are no good.
func (p *pair) load() error {
	seen, err := p.stamps()
	p.seen = seen // so that bad files are read, and told of, once
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "cannot read the certificate: %w", err)
	}
	cert, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "certificate %s with key %s: %w", p.certFile, p.keyFile, err)
	}
	p.cert = &cert
	return nil
}

func (p *pair) current() *tls.Certificate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now, _ := p.stamps(); now != p.seen {
		if err := p.load(); err != nil {
			p.log.Error("the new certificate is not valid; the old one stays in use", "error", err)
		} else {
			p.log.Info("a new certificate is in use", "file", p.certFile)
		}
	}
	return p.cert
}
