package assist_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein/internal/flowtest"
	"rein/server/dialect/assist"
)

// updates reports whether what happens is to be written into the files. The flag is flowtest's.
func updates() bool { return flag.Lookup("update").Value.String() == "true" }

// TestTranscripts plays what a person sends, a line each, and compares what comes back. The lines are
// stream TEXT, task TEXT (a stream with the header), chat TEXT, execute (the last action) and history.
//
// Covers: NEU-1 NEU-3 NEU-4 NEU-5 NEU-6 NEU-24 TAB-B11
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			check(t, err)
			got := play(t, file, archive)
			if updates() {
				archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
				check(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			if diff := cmp.Diff(part(archive, "want"), got); diff != "" {
				t.Errorf("this happened (go test -update writes it down):\n%s", diff)
			}
		})
	}
}

func part(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func play(t *testing.T, file string, archive *txtar.Archive) string {
	scene := flowtest.ReadScene(t, file)
	r := scripted(t, scene.Model, scene.Tools)
	var b strings.Builder
	action := ""
	for line := range strings.Lines(part(archive, "people")) {
		line = strings.TrimSpace(line)
		fmt.Fprintf(&b, "> %s\n", line)
		word, text, _ := strings.Cut(line, " ")
		var out []any
		switch word {
		case "stream":
			out = merged(r.streamed(text))
		case "task":
			out = merged(r.streamed(text, assist.TaskHeader, "1"))
		case "chat":
			status, reply := r.send("POST", "/chat", message(text))
			out = []any{status, reply}
		case "execute":
			status, reply := r.send("POST", "/chat/actions/execute", `{"action_id":"`+action+`"}`)
			out = []any{status, reply}
		case "history":
			_, reply := r.send("GET", "/chat/history?limit="+text, "")
			out = reply["messages"].([]any)
		default:
			t.Fatalf("%q is no line", line)
		}
		for _, value := range out {
			data, err := json.Marshal(value)
			check(t, err)
			if found := actionID.FindSubmatch(data); found != nil {
				action = string(found[1])
			}
			fmt.Fprintln(&b, string(data))
		}
	}
	return named(b.String())
}

var (
	actionID = regexp.MustCompile(`"actions":\[\{.*?"id":"([^"]*)"`)
	volatile = regexp.MustCompile(`,?"(ts|session)":"[^"]*"|,?"id":"r[0-9a-z]+:\d+"`) // how often a run parks is chance
	runID    = regexp.MustCompile(`r0[0-9a-z]{23}`)
	askIDs   = regexp.MustCompile(`ask_[A-Z2-7]{26}`)
)

// named takes out what is different each time: times, and the names of runs, which become r1, r2 …, and
// of actions, which become ask_1, ask_2 …
func named(text string) string {
	text = strings.ReplaceAll(volatile.ReplaceAllString(text, ""), "{,", "{")
	return numbered(numbered(text, runID, "r"), askIDs, "ask_")
}

func numbered(text string, ids *regexp.Regexp, prefix string) string {
	names := map[string]string{}
	return ids.ReplaceAllStringFunc(text, func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("%s%d", prefix, len(names)+1)
		}
		return names[id]
	})
}

// merged is the chunks with tokens in one piece: how they are cut depends on who was quicker.
func merged(chunks []assist.Chunk) []any {
	var all []any
	tokens := ""
	for i, c := range chunks {
		if c.Type == assist.Token {
			tokens += c.Text
			if i+1 < len(chunks) && chunks[i+1].Type == assist.Token {
				continue
			}
			c.Text, tokens = tokens, ""
		}
		all = append(all, c)
	}
	return all
}
