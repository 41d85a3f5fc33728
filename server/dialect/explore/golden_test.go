package explore_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/internal/flowtest"
	"rein/server/dialect/explore"
)

// updates reports whether what happens is to be written into the files. The flag is flowtest's.
func updates() bool { return flag.Lookup("update").Value.String() == "true" }

// TestTranscripts plays each file twice: with one connection, and with one that is cut after every chunk
// and goes on by its last id. Both clients are told the same.
//
// Covers: TREE-21 TREE-60 TREE-90 TREE-93 TAB-B11
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			check(t, err)
			for _, cuts := range []bool{false, true} {
				got := play(t, file, archive, cuts)
				want := part(archive, "want")
				if updates() {
					setPart(archive, "want", got)
					check(t, os.WriteFile(file, txtar.Format(archive), 0o644))
					continue
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("cuts %v: this happened (go test -update writes it down):\n%s", cuts, diff)
				}
			}
		})
	}
}

func play(t *testing.T, file string, archive *txtar.Archive, cuts bool) string {
	scene := flowtest.ReadScene(t, file)
	r := scripted(t, scene.Model, scene.Tools, string(scene.Tasks[0].Settings))
	people := strings.Split(strings.TrimSpace(part(archive, "people")), "\n")
	var told []explore.Chunk
	kept := 0 // chunks up to the last id; what came after it comes again
	s := r.ask(scene.Tasks[0].Messages[0].Text)
	asked := map[string]bool{}
	for {
		f, ok := s.next()
		if !ok {
			return show(told)
		}
		if f.chunk.Type == explore.UserQuery {
			q := string(f.chunk.AgentID) + f.chunk.Prompt
			if asked[q] && f.id == "" {
				continue // it was open when this connection began: it is asked again, under another ID
			}
			if !asked[q] {
				asked[q] = true
				r.person(people[0], f.chunk)
				people = people[1:]
			}
		}
		told = append(told, f.chunk)
		if f.id == "" {
			continue
		}
		kept = len(told)
		if cuts {
			s.close()
			told = told[:kept]
			s = r.open(nil, s.last)
		}
	}
}

// person does what a line says about a query.
func (r *rig) person(line string, q explore.Chunk) {
	r.Helper()
	word, text, _ := strings.Cut(line, " ")
	ask := r.asking(q)
	c := ask.Reply(rein.Answer{Text: text, By: "owner"})
	states := map[string]rein.AskState{"answer": rein.AskAnswered, "decline": rein.AskDeclined, "approve": rein.AskApproved, "reject": rein.AskRejected}
	if c.Answer.State = states[word]; c.Answer.State == "" {
		c = rein.Command{Kind: rein.CommandKind(word), Run: q.AgentID, By: "owner", Text: text}
	}
	_, err := r.Engine.Command(context.Background(), c)
	check(r, err)
}

// asking returns the open ask that a query shows; a line may be about an agent alone.
func (r *rig) asking(q explore.Chunk) rein.Ask {
	r.Helper()
	for _, ask := range r.openAsks() {
		if ask.Run == q.AgentID && ask.Text == q.Prompt {
			return ask
		}
	}
	return rein.Ask{}
}

var askIDs = regexp.MustCompile(`ask_[A-Z2-7]{26}`) // of one connection, and different each time

// show writes chunks by agent, in the order of each, with IDs that are always the same and texts in one
// piece: how they are cut depends on who was quicker.
func show(chunks []explore.Chunk) string {
	root := string(chunks[0].AgentID)
	byAgent := map[rein.RunID][]explore.Chunk{}
	for _, c := range chunks {
		list := byAgent[c.AgentID]
		if n := len(list); c.TextDelta != "" && n > 0 && list[n-1].Type == c.Type && list[n-1].ID == c.ID {
			list[n-1].TextDelta += c.TextDelta
			list[n-1].Delta += c.Delta
			continue
		}
		byAgent[c.AgentID] = append(list, c)
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(byAgent)) {
		for _, c := range byAgent[id] {
			if c.State != nil { // when it began, and which child came first, is chance
				delete(c.State.Metadata, "session")
				c.State.CreatedAt = time.Time{}
				slices.Sort(c.State.Subagents)
			}
			line, _ := json.Marshal(c)
			fmt.Fprintln(&b, askIDs.ReplaceAllString(strings.ReplaceAll(string(line), root, "r1"), "ask_…"))
		}
	}
	return b.String()
}

func part(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setPart(a *txtar.Archive, name, text string) {
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}
