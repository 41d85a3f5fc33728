package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"rein/tool/diagnostics/lsp"
)

// play is a server that reads messages and answers each with what the function returns, until it returns io.EOF.
func play(t *testing.T, answer func(method, id string) (string, error)) lsp.Server {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	go func() {
		in := bufio.NewReader(fromClient)
		for {
			header, err := textproto.NewReader(in).ReadMIMEHeader()
			if err != nil {
				return
			}
			size, _ := strconv.Atoi(header.Get("Content-Length"))
			body := make([]byte, size)
			if _, err := io.ReadFull(in, body); err != nil {
				return
			}
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(body, &m) != nil {
				return
			}
			reply, err := answer(m.Method, string(m.ID))
			if err != nil {
				toClient.CloseWithError(err)
				return
			}
			for line := range strings.SplitSeq(reply, "\n") {
				if line != "" {
					fmt.Fprintf(toClient, "Content-Length: %d\r\n\r\n%s", len(line), line)
				}
			}
		}
	}()
	return lsp.Server{In: fromServer, Out: toServer, Root: "/w", Settle: time.Millisecond}
}

func open(t *testing.T, s lsp.Server) *lsp.Session {
	e := s.Open()
	t.Cleanup(e.Close)
	return e
}

var files = []lsp.File{{Path: "/w/a b.go", Language: "go", Text: "package a"}}

// What a server says last of a file counts, once it is not busy any more; what it says of others does not.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	server := play(t, func(method, id string) (string, error) {
		switch method {
		case "initialize":
			return `{"id":` + id + `,"result":{}}
{"method":"$/progress","params":{"token":"t","value":{"kind":"begin"}}}`, nil
		case "textDocument/didOpen":
			return `{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a%20b.go","diagnostics":[]}}
{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/other.go","diagnostics":[{"message":"other"}]}}
{"id":7,"method":"workspace/configuration","params":{"items":[{},{}]}}`, nil
		case "":
			return `{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a%20b.go","diagnostics":[{"range":{"start":{"line":4,"character":1}},"severity":2,"message":"second"},{"range":{"start":{"line":1,"character":0}},"message":"first","source":"s"}]}}
{"method":"$/progress","params":{"token":"t","value":{"kind":"end"}}}`, nil
		}
		return "", nil
	})
	all, complete, err := open(t, server).Diagnose(t.Context(), files, nil)
	want := "[{/w/a b.go 2 1 error first s} {/w/a b.go 5 2 warning second }]"
	if got := fmt.Sprint(all); err != nil || !complete || got != want {
		t.Errorf("%s %t %v, want %s", got, complete, err, want)
	}
}

// A server that fails, ends, or says nothing does not look like one that found nothing.
func TestDiagnoseWithoutAnswer(t *testing.T) {
	t.Parallel()
	opened := `{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a%20b.go","diagnostics":[]}}`
	for want, answer := range map[string]func(method, id string) (string, error){
		"the server does not begin: no": func(_, id string) (string, error) { return `{"id":` + id + `,"error":{"code":1,"message":"no"}}`, nil },
		"the server ended: gone":        func(string, string) (string, error) { return "", fmt.Errorf("gone") },
		"cannot load": func(method, id string) (string, error) {
			if method == "initialize" {
				return `{"id":` + id + `,"result":{}}` + "\n" + `{"method":"window/showMessage","params":{"type":1,"message":"cannot load"}}`, nil
			}
			return opened, nil
		},
	} {
		if _, _, err := open(t, play(t, answer)).Diagnose(t.Context(), files, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	silent := play(t, func(string, string) (string, error) { cancel(); return "", nil })
	if all, complete, err := open(t, silent).Diagnose(ctx, files, nil); complete || err != nil || len(all) > 0 {
		t.Errorf("%v %t %v", all, complete, err)
	}
}

// A session can be asked again. What the server says late of an earlier version of a file does not count, and the session
// reports what changed on the disk.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	opened := 0
	changed := make(chan struct{}, 1)
	server := play(t, func(method, id string) (string, error) {
		publish := func(version int, message string) string {
			return fmt.Sprintf(`{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a%%20b.go","version":%d,"diagnostics":[{"message":%q}]}}`, version, message) + "\n"
		}
		switch method {
		case "initialize":
			return `{"id":` + id + `,"result":{}}`, nil
		case "workspace/didChangeWatchedFiles":
			changed <- struct{}{}
		case "textDocument/didOpen":
			if opened++; opened == 2 {
				return publish(1, "late") + publish(2, "second") + publish(1, "later"), nil
			}
			return publish(1, "first"), nil
		}
		return "", nil
	})
	e := open(t, server)
	for i, want := range []string{"first", "second"} {
		var changes []lsp.Change
		if i == 1 {
			changes = []lsp.Change{{Path: "/w/b.go", Kind: lsp.Changed}}
		}
		all, complete, err := e.Diagnose(t.Context(), files, changes)
		if err != nil || !complete || len(all) != 1 || all[0].Message != want {
			t.Errorf("%v %v %v, want %s", all, complete, err, want)
		}
	}
	<-changed
}
