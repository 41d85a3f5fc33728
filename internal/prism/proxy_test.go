// Package prism runs the API with Prism between client and server: a proxy, written by others, that
// reads our OpenAPI document and refuses each request and each answer that is not as it says.
package prism

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein/internal/node"
)

// installed is where make node puts Prism.
const installed = "_node/node_modules/@stoplight/prism-cli/dist/index.js"

// patience is never waited for unless something is wrong.
const patience = 3 * time.Minute

func needPrism(t *testing.T) (program string) {
	t.Helper()
	return node.Need(t, installed, "the API is NOT tested behind Prism")
}

// proxy starts Prism with a document before a server and returns the way through it. What Prism has
// against a request or an answer is told to complain.
func proxy(t *testing.T, text []byte, upstream, token string, complain func(string)) http.Handler {
	t.Helper()
	program := needPrism(t)
	document := filepath.Join(t.TempDir(), "openapi.json")
	check(t, os.WriteFile(document, text, 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, installed, "proxy", "--errors", "--port", "0", document, upstream)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	check(t, err)
	cmd.Stderr = cmd.Stdout
	check(t, cmd.Start())
	at, done := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(done)
		listen(out, at)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		_ = cmd.Wait() // it was killed
	})
	select {
	case where := <-at:
		target, err := url.Parse(where)
		check(t, err)
		return through(target, token, complain)
	case <-done:
		t.Fatal("Prism has ended")
	case <-time.After(patience):
		t.Fatal("Prism does not start")
	}
	return nil
}

// listen reads what Prism prints, to the end, and tells where it listens.
func listen(out io.Reader, at chan<- string) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if _, where, ok := strings.Cut(lines.Text(), "Prism is listening on "); ok {
			at <- strings.TrimSpace(where)
		}
	}
}

// through sends requests to Prism, with a token, and looks for its complaints in the answers.
func through(target *url.URL, token string, complain func(string)) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Set("Authorization", "Bearer "+token)
		},
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if found := r.Header.Get("Sl-Violations"); found != "" || bytes.Contains(body, []byte("stoplight.io/prism/errors")) {
				complain(fmt.Sprintf("%s %s: %s %.2000s", r.Request.Method, r.Request.URL.Path, found, body))
			}
			return nil
		},
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
