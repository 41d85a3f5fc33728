package shelf_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/engine"
	"rein/flow"
	kept "rein/household/shelf"
	"rein/internal/rig"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/reach"
	"rein/tool/shelf"
)

var ann = rein.Place{Household: "home", User: "ann", Session: "s1"}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) (*sqlite.Store, kept.Shelf) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	return s, kept.Shelf{Tables: s}
}

func put(t *testing.T, s kept.Shelf, p rein.Place, name, content string) {
	t.Helper()
	_, err := s.Put(t.Context(), p, name, "", strings.NewReader(content))
	check(t, err)
}

// invocation is a call of a run of ann's session.
func invocation(t *testing.T, args json.RawMessage) rein.Invocation {
	t.Helper()
	policy, err := reach.New(reach.Options{})
	check(t, err)
	task := &rein.Task{Household: "home", User: "ann", Session: "s1"}
	return rein.Invocation{Run: "r1", Step: "1", Args: args, Task: task, Reach: policy.For(task)}
}

// call calls a tool as a run of ann's session does.
func call(t *testing.T, s kept.Shelf, name, args string) (string, error) {
	t.Helper()
	tools, err := shelf.Tools(s)
	check(t, err)
	for _, tool := range tools {
		if tool.Name == name {
			done, err := tool.Do(t.Context(), invocation(t, json.RawMessage(args)))
			return done.Text, err
		}
	}
	t.Fatalf("there is no tool %s", name)
	return "", nil
}

// A model sees the files of its session, reads text in pieces of whole characters, and is told what
// the others are.
func TestReading(t *testing.T) {
	_, s := open(t)
	if got, err := call(t, s, "session_files", `{}`); got != "[this session has no files]" || err != nil {
		t.Error(got, err)
	}
	put(t, s, ann, "notes.txt", "aé🙂b")
	put(t, s, ann, "photo.png", "\x89PNG\x00")
	put(t, s, ann, "empty", "")
	put(t, s, rein.Place{Household: "home", User: "bob", Session: "s1"}, "bob.txt", "secret of bob")
	if got, err := call(t, s, "session_files", `{}`); got != "empty (text/plain, 0 bytes)\nnotes.txt (text/plain, 8 bytes)\nphoto.png (application/octet-stream, 5 bytes, not text)\n" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	for args, want := range map[string]string{
		`{"name":"notes.txt"}`:                              "aé🙂b\n[bytes 0 to 8 of 8: the end]",
		`{"name":"/tmp/../notes.txt","limit":2}`:            "a\n[bytes 0 to 1 of 8; go on with offset 1]",
		`{"name":"notes.txt","offset":1,"limit":1}`:         "é\n[bytes 1 to 3 of 8; go on with offset 3]",
		`{"name":"notes.txt","offset":2,"limit":2}`:         "é\n[bytes 1 to 3 of 8; go on with offset 3]",
		`{"name":"notes.txt","offset":3,"limit":1}`:         "🙂\n[bytes 3 to 7 of 8; go on with offset 7]",
		`{"name":"notes.txt","offset":6,"limit":5}`:         "🙂b\n[bytes 3 to 8 of 8: the end]",
		`{"name":"notes.txt","offset":7}`:                   "b\n[bytes 7 to 8 of 8: the end]",
		`{"name":"empty"}`:                                  "[empty is empty]",
		`{"name":"photo.png"}`:                              "[photo.png is not text: application/octet-stream, 5 bytes, not text, SHA-256 ad91235e882292469812e16da0b8fc77075a7c6d6f8760c24be14a5c792508cf]",
		`{"name":"notes.txt","user":"bob","session":"s2"}`:  "",
		`{"name":"bob.txt"}`:                                "",
		`{"name":"notes.txt","offset":8}`:                   "",
		`{"name":"notes.txt","offset":9223372036854775807}`: "",
		`{"name":"notes.txt","offset":-1}`:                  "",
	} {
		got, err := call(t, s, "read_session_file", args)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q %v, want %q", args, got, err, want)
		}
	}
}

// An image of the session is returned as one, whatever type its sender declared.
func TestReadImage(t *testing.T) {
	_, s := open(t)
	var picture bytes.Buffer
	check(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 5, 6))))
	put(t, s, ann, "plot.bin", picture.String())
	tool, err := shelf.Read(s)
	check(t, err)
	done, err := tool.Do(t.Context(), invocation(t, json.RawMessage(`{"name":"plot.bin"}`)))
	check(t, err)
	if len(done.Images) != 1 || done.Images[0].Type != "image/png" || done.Images[0].Height != 6 || !bytes.Equal(done.Images[0].Data, picture.Bytes()) || done.Text != "plot.bin is an image of 5×6 pixels." {
		t.Errorf("%q with %d images", done.Text, len(done.Images))
	}
}

// A long file is read to its end, page by page, and is put together as it was.
func TestPages(t *testing.T) {
	_, s := open(t)
	whole := strings.Repeat("0é🙂", 6000)
	put(t, s, ann, "long.txt", whole)
	tool, err := shelf.Read(s)
	check(t, err)
	var all strings.Builder
	next := int64(0)
	for more := true; more; {
		args, err := json.Marshal(map[string]any{"name": "long.txt", "offset": next, "limit": 7001})
		check(t, err)
		done, err := tool.Do(t.Context(), invocation(t, args))
		check(t, err)
		var page shelf.Page
		check(t, json.Unmarshal(done.Data, &page))
		if page.Offset != next {
			t.Fatalf("page %+v begins elsewhere than at %d", page, next)
		}
		all.WriteString(done.Text[:page.Bytes])
		if more = page.Next != nil; more {
			next = *page.Next
		}
	}
	if all.String() != whole {
		t.Error("the pages are not the file")
	}
}

// In a run, whose files they are comes of the run: a model that names another session gets its own.
func TestInARun(t *testing.T) {
	r := rig.Open(t, rig.Options{})
	files := kept.Shelf{Tables: r.Store}
	put(t, files, ann, "plan.txt", "Plant trees.")
	put(t, files, rein.Place{Household: "home", User: "bob", Session: "s2"}, "plan.txt", "Sell the house.")
	tools, err := shelf.Tools(files)
	check(t, err)
	set, names := map[string]rein.Tool{}, []string{}
	for _, tool := range tools {
		set[tool.Name], names = tool, append(names, tool.Name)
	}
	model := rig.Script(t, `
when results=0
call session_files {}
call read_session_file {"name": "plan.txt", "household": "home", "user": "bob", "session": "s2"}
call read_session_file {"name": "plan.txt"}

when
say Read.
`)
	r.Begin(engine.Options{Flows: flow.All(), Worker: rig.Worker(model, set)})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	_, err = r.Engine.Start(ctx, "r1", rein.Task{Flow: "operate", Household: "home", User: "ann", Session: "s1", Tools: names, Messages: []rein.Message{{Role: rein.User, Text: "Read the plan."}}})
	check(t, err)
	_, err = r.Engine.Wait(ctx, "r1")
	check(t, err)
	var told []string
	for ev, err := range r.Store.Events(t.Context(), "r1", 0) {
		check(t, err)
		if ev.Kind != rein.StepDone {
			continue
		}
		if end, err := rein.Payload[rein.StepEnd](ev); err == nil && end.Result != nil {
			told = append(told, string(end.Result.Status)+" "+end.Result.Text)
		}
	}
	all := strings.Join(told, "\n")
	if !strings.Contains(all, "Plant trees.") || !strings.Contains(all, "plan.txt (text/plain, 12 bytes)") || strings.Contains(all, "Sell") {
		t.Error(all)
	}
}
