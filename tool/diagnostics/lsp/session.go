package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"
)

// A File is a file to look at.
type File struct {
	Path     string // absolute
	Language string // as the protocol names it
	Text     string
}

// A Diagnostic is something that a server says of a file. Lines and columns count from 1.
type Diagnostic struct {
	Path     string
	Line     int
	Column   int
	Severity string // error, warning, information or hint
	Message  string
	Source   string
}

// A Server is one that has been started and said nothing yet.
type Server struct {
	In       io.Reader
	Out      io.Writer
	Root     string          // the folder of the project, absolute
	Settings json.RawMessage // of the server; nil: its defaults
	// Settle is how long the server must be silent about the files before what it said counts as all.
	Settle time.Duration
}

// Diagnose opens the files and returns what the server publishes about them. It ends when the server has said something
// of each file and then nothing for a while, or with the context: complete is false then. The error says why the server
// went away, or what it reports that kept it from its work. The server is asked to shut down.
func (s Server) Diagnose(ctx context.Context, files []File) (all []Diagnostic, complete bool, err error) {
	e := &exchange{conn: newConn(s.In), Server: s, said: map[string][]Diagnostic{}}
	messages, broken := make(chan received), make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go func() { broken <- e.pump(messages, done) }()
	go e.write(s.Out, done)
	if err := e.begin(); err != nil {
		return nil, false, err
	}
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	for {
		select {
		case m := <-messages:
			news, err := e.take(m, files)
			if err != nil {
				return e.all(files), false, err
			}
			switch {
			case e.busy > 0:
				settled.Stop()
			case news && len(e.said) == len(files):
				settled.Reset(s.Settle)
			}
		case <-settled.C:
			e.leave()
			return e.all(files), true, e.trouble
		case err := <-broken:
			return e.all(files), false, fmt.Errorf("the server ended: %w", err)
		case <-ctx.Done():
			return e.all(files), false, nil
		}
	}
}

// An exchange is what was said so far.
type exchange struct {
	Server
	*conn
	said    map[string][]Diagnostic // by the URI of a file that was asked about
	trouble error                   // the first that the server reported
	busy    int                     // so many things it reports progress of, such as loading the project
}

// pump hands over what the server sends.
func (e *exchange) pump(to chan<- received, done <-chan struct{}) error {
	for {
		m, err := e.receive()
		if err != nil {
			return err
		}
		select {
		case to <- m:
		case <-done:
			return nil
		}
	}
}

// beginID is the ID of the first request, whose response says that files can be opened.
const beginID = "1"

func (e *exchange) begin() error {
	return e.send(message{ID: json.RawMessage(beginID), Method: "initialize", Params: map[string]any{
		"processId": nil, "rootUri": uri(e.Root), "initializationOptions": e.Settings,
		"workspaceFolders": []any{map[string]string{"uri": uri(e.Root), "name": "workspace"}},
		"capabilities": map[string]any{
			"textDocument": map[string]any{"publishDiagnostics": map[string]any{"versionSupport": true}},
			"window":       map[string]any{"workDoneProgress": true},
			"workspace":    map[string]any{"configuration": true, "workspaceFolders": true},
		},
	}})
}

// take reads a message. It reports whether it says something new of a file, or that some work is over.
func (e *exchange) take(m received, files []File) (news bool, err error) {
	switch {
	case m.Method == "" && string(m.ID) == beginID:
		if m.Error != nil {
			return false, fmt.Errorf("the server does not begin: %s", m.Error.Message)
		}
		return false, e.open(files)
	case m.Method == "textDocument/publishDiagnostics":
		return e.published(m.Params, files), nil
	case m.Method == "$/progress":
		return e.progressed(m.Params), nil
	case m.Method == "window/showMessage":
		e.heed(m.Params)
	case m.Method != "" && len(m.ID) > 0:
		return false, e.respond(m)
	}
	return false, nil
}

// progressed counts what the server is busy with. It reports whether something ended.
func (e *exchange) progressed(params json.RawMessage) bool {
	var said struct{ Value struct{ Kind string } }
	if json.Unmarshal(params, &said) != nil {
		return false
	}
	switch said.Value.Kind {
	case "begin":
		e.busy++
	case "end":
		e.busy = max(0, e.busy-1)
		return true
	}
	return false
}

// heed keeps what the server wants people to know, if it is an error.
func (e *exchange) heed(params json.RawMessage) {
	const isError = 1
	var said struct {
		Type    int
		Message string
	}
	if json.Unmarshal(params, &said) == nil && said.Type == isError && e.trouble == nil {
		e.trouble = errors.New(said.Message)
	}
}

func (e *exchange) open(files []File) error {
	err := e.send(message{Method: "initialized", Params: struct{}{}})
	for _, f := range files {
		if err != nil {
			return err
		}
		err = e.send(message{Method: "textDocument/didOpen", Params: map[string]any{"textDocument": map[string]any{
			"uri": uri(f.Path), "languageId": f.Language, "version": 1, "text": f.Text,
		}}})
	}
	return err
}

// respond answers what a server asks of its client: its settings, and otherwise nothing.
func (e *exchange) respond(m received) error {
	reply := message{ID: m.ID, Result: json.RawMessage("null")}
	if m.Method == "workspace/configuration" {
		var asked struct{ Items []json.RawMessage }
		if json.Unmarshal(m.Params, &asked) == nil {
			list := make([]json.RawMessage, len(asked.Items))
			for i := range list {
				if list[i] = e.Settings; list[i] == nil {
					list[i] = json.RawMessage("null")
				}
			}
			reply.Result, _ = json.Marshal(list)
		}
	}
	return e.send(reply)
}

// leave asks the server to end. Whoever started it does not wait for that.
func (e *exchange) leave() {
	if e.send(message{ID: json.RawMessage("2"), Method: "shutdown"}) == nil {
		_ = e.send(message{Method: "exit"}) // it is ended anyway
	}
}

// all lists what was said, in the order of the files.
func (e *exchange) all(files []File) (all []Diagnostic) {
	for _, f := range files {
		all = append(all, e.said[uri(f.Path)]...)
	}
	return all
}

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
