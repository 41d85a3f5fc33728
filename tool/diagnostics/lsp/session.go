package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
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

// A Change is what became of a file on the disk.
type Change struct {
	Path string // absolute
	Kind int    // Made, Changed or Removed
}

// Kinds of changes, as the protocol numbers them.
const (
	Made    = 1
	Changed = 2
	Removed = 3
)

// A Server is one that has been started and said nothing yet.
type Server struct {
	In       io.Reader
	Out      io.Writer
	Root     string          // the folder of the project, absolute
	Settings json.RawMessage // of the server; nil: its defaults
	// Settle is how long the server must be silent about the files before what it said counts as all.
	Settle time.Duration
}

// A Session is a conversation with a server, which can be asked again and again.
type Session struct {
	Server
	*conn
	done  chan struct{}
	ready chan struct{} // closed when files can be opened
	news  chan struct{} // holds something if the state below may be worth a look
	close func()

	mu      sync.Mutex
	version int // of the files that were opened last
	asked   []File
	said    map[string][]Diagnostic // by the URI of a file that was asked about
	trouble error                   // the first that the server reported
	ended   error                   // why nothing more comes
	busy    int                     // so many things it reports progress of, such as loading the project
}

// Open begins a conversation. Close it; that does not close the streams.
func (s Server) Open() *Session {
	e := &Session{Server: s, conn: newConn(s.In), done: make(chan struct{}), ready: make(chan struct{}), news: make(chan struct{}, 1), said: map[string][]Diagnostic{}}
	e.close = sync.OnceFunc(func() { close(e.done) })
	go e.listen()
	go e.write(s.Out, e.done)
	if err := e.begin(); err != nil {
		e.end(err)
	}
	return e
}

// Close asks the server to shut down. Whoever started it does not wait for that.
func (e *Session) Close() {
	if e.send(message{ID: json.RawMessage("2"), Method: "shutdown"}) == nil {
		_ = e.send(message{Method: "exit"}) // it is ended anyway
	}
	e.close()
}

// Diagnose has the server look at the files, and returns what it publishes about them. changed are files of the project
// that are not as they were when it was asked last. It returns when the server has said something of each file and then
// nothing for a while, or with the context: complete is false then. The error says why the server went away, or what it
// reports that kept it from its work. Calls must not overlap.
func (e *Session) Diagnose(ctx context.Context, files []File, changed []Change) (all []Diagnostic, complete bool, err error) {
	if err := e.open(ctx, files, changed); err != nil || ctx.Err() != nil {
		return nil, false, err
	}
	defer e.shut(files)
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	for {
		select {
		case <-e.news:
			switch busy, done, ended := e.state(); {
			case ended != nil:
				return e.all(files), false, ended
			case busy:
				settled.Stop()
			case done:
				settled.Reset(e.Settle)
			}
		case <-settled.C:
			return e.all(files), true, e.takeTrouble()
		case <-ctx.Done():
			return e.all(files), false, nil
		}
	}
}

// open waits until the server is ready, and opens the files.
func (e *Session) open(ctx context.Context, files []File, changed []Change) error {
	for isReady := false; !isReady; {
		select {
		case <-e.ready:
			isReady = true
		case <-e.news:
			if _, _, ended := e.state(); ended != nil {
				return ended
			}
		case <-ctx.Done():
			return nil
		}
	}
	e.mu.Lock()
	e.version++
	e.asked, e.said = files, map[string][]Diagnostic{}
	e.mu.Unlock()
	var err error
	if len(changed) > 0 {
		list := make([]any, len(changed))
		for i, c := range changed {
			list[i] = map[string]any{"uri": uri(c.Path), "type": c.Kind}
		}
		err = e.send(message{Method: "workspace/didChangeWatchedFiles", Params: map[string]any{"changes": list}})
	}
	for _, f := range files {
		if err != nil {
			return err
		}
		err = e.send(message{Method: "textDocument/didOpen", Params: map[string]any{"textDocument": map[string]any{
			"uri": uri(f.Path), "languageId": f.Language, "version": e.version, "text": f.Text,
		}}})
	}
	return err
}

// shut closes the files: from then on the server takes them from the disk.
func (e *Session) shut(files []File) {
	e.mu.Lock()
	e.asked = nil
	e.mu.Unlock()
	for _, f := range files {
		_ = e.send(message{Method: "textDocument/didClose", Params: map[string]any{"textDocument": map[string]any{"uri": uri(f.Path)}}}) // else it is opened twice, which servers mind
	}
}

// state says how far the server is.
func (e *Session) state() (busy, done bool, ended error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.busy > 0, len(e.said) == len(e.asked), e.ended
}

func (e *Session) takeTrouble() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.trouble
}

func (e *Session) end(err error) {
	e.mu.Lock()
	if e.ended == nil {
		e.ended = err
	}
	e.mu.Unlock()
	e.tell()
}

func (e *Session) tell() {
	select {
	case e.news <- struct{}{}:
	default:
	}
}

// listen takes in what the server sends, whether somebody waits for it or not.
func (e *Session) listen() {
	for {
		m, err := e.receive()
		if err == nil {
			err = e.take(m)
		} else {
			err = fmt.Errorf("the server ended: %w", err)
		}
		if err != nil {
			e.end(err)
			return
		}
	}
}

// beginID is the ID of the first request, whose response says that files can be opened.
const beginID = "1"

func (e *Session) begin() error {
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

// take reads a message.
func (e *Session) take(m received) error {
	switch {
	case m.Method == "" && string(m.ID) == beginID:
		if m.Error != nil {
			return fmt.Errorf("the server does not begin: %s", m.Error.Message)
		}
		err := e.send(message{Method: "initialized", Params: struct{}{}})
		close(e.ready)
		return err
	case m.Method == "textDocument/publishDiagnostics":
		e.published(m.Params)
	case m.Method == "$/progress":
		e.progressed(m.Params)
	case m.Method == "window/showMessage":
		e.heed(m.Params)
	case m.Method != "" && len(m.ID) > 0:
		return e.respond(m)
	}
	return nil
}

// progressed counts what the server is busy with.
func (e *Session) progressed(params json.RawMessage) {
	var said struct{ Value struct{ Kind string } }
	if json.Unmarshal(params, &said) != nil {
		return
	}
	e.mu.Lock()
	switch said.Value.Kind {
	case "begin":
		e.busy++
	case "end":
		e.busy = max(0, e.busy-1)
	}
	e.mu.Unlock()
	e.tell()
}

// heed keeps what the server wants people to know, if it is an error.
func (e *Session) heed(params json.RawMessage) {
	const isError = 1
	var said struct {
		Type    int
		Message string
	}
	if json.Unmarshal(params, &said) != nil || said.Type != isError {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.trouble == nil {
		e.trouble = errors.New(said.Message)
	}
}

// respond answers what a server asks of its client: its settings, and otherwise nothing.
func (e *Session) respond(m received) error {
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

// all lists what was said, in the order of the files.
func (e *Session) all(files []File) (all []Diagnostic) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range files {
		all = append(all, e.said[uri(f.Path)]...)
	}
	return all
}

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
