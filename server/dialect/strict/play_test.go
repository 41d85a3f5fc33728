package strict_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/internal/flowtest"
	"rein/server/dialect/strict"
)

// updating reports whether what happens is written into the files; flowtest has the flag.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// A file of testdata is what goes over one socket: scene names the file of the flow whose model and
// tools are played, client is what the client does, want is what it is sent, one message a line.
//
//	> JSON       sends a frame; $ask in it is the ID of the newest request for approval
//	< TYPE       reads up to a message of this type or update type
//	! late       nobody answers until an hour has passed
//	! until K    waits for an event of this kind in the log
//	! held TOOL  waits until a tool that is held (part hold) has begun
//	! open TOOL  lets it go on
//
// A part grace says that a stop has little patience with what runs.
//
// After that, a socket that begins after each of the messages must be sent exactly the rest.
//
// Covers: RAO-7/server RAO-13 RAO-30/server RAO-31/server RAO-32/server RAO-33/server RAO-34/server RAO-35/server RAO-40/server RAO-42/server RAO-43/server RAO-44/server RAO-45/server RAO-50 RAO-52 RAO-53 RAO-61/server RAO-70 RAO-71 RAO-72 RAO-74 RAO-75 TAB-B11
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { play(t, file) })
	}
}

func play(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	check(t, err)
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	r := newRig(t, sceneOf(t, parts))
	c := r.dial()
	for line := range strings.Lines(parts["client"]) {
		r.act(c, strings.TrimSpace(line))
	}
	c.fence()
	got := plain(told(c.seen))
	if updating() {
		archive.Files = append(archive.Files[:len(archive.Files)-1], txtar.File{Name: "want", Data: []byte(got)})
		check(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	} else if diff := cmp.Diff(strings.Split(parts["want"], "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s: this happened (go test -update writes it down):\n%s", file, diff)
	}
	r.resumes(c.seen)
}

// sceneOf reads model and tools of the scene that a file names; those of its own come before.
func sceneOf(t *testing.T, parts map[string]string) stage {
	s := flowtest.ReadScene(t, sceneFile(strings.TrimSpace(parts["scene"])))
	if own, ok := parts["model"]; ok {
		s.Model = own
	}
	grace := patience // a tool that runs comes to its end
	if parts["grace"] != "" {
		grace = 0 // it is cut
	}
	return stage{model: parseScript(t, s.Model), tools: s.Tools, hold: strings.Fields(parts["hold"]), grace: grace}
}

func (r *rig) act(c *client, line string) {
	r.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case ">":
		c.send(strings.ReplaceAll(rest, "$ask", c.asked()))
	case "<":
		c.until(rest)
	case "!":
		what, of, _ := strings.Cut(rest, " ")
		switch what {
		case "late":
			r.late.Add(int64(time.Hour))
			_, err := r.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandComment, Run: "r1", By: "clock", Text: "it is late"})
			check(r, err)
		case "until":
			r.until("r1", rein.Kind(of))
		case "held":
			r.entered(of)
		case "open":
			close(r.gates[of].opened)
		default:
			r.Fatalf("client: %q", line)
		}
	case "":
	default:
		r.Fatalf("client: %q", line)
	}
}

// resumes opens a socket after each message that has a cursor.
func (r *rig) resumes(seen []strict.Message) {
	r.Helper()
	whole := durable(seen)
	for i, m := range whole {
		c := r.dial("conversation_id", m.Conversation, "after", m.Cursor)
		for len(durable(c.seen)) < len(whole)-i-1 {
			c.next()
		}
		c.fence()
		if diff := cmp.Diff(told(whole[i+1:]), told(c.seen)); diff != "" {
			r.Errorf("after %s:\n%s", m.Cursor, diff)
		}
		c.conn.CloseNow()
	}
}

// asked is the ID of the newest request for approval.
func (c *client) asked() (id string) {
	for _, m := range c.seen {
		if m.Type == "tool_approval_request" {
			id = m.CallID
		}
	}
	return id
}

var (
	askIDs   = regexp.MustCompile(`"ask_[A-Z2-7]{26}"`) // of one socket, and different each time
	cursors  = regexp.MustCompile(`"cursor":"[^"]*"`)
	nextRuns = regexp.MustCompile(`-next-[0-9a-f]+`)
)

// plain leaves out what is chance: where exactly a message stands in the log, and the ID of a run that
// a message started.
func plain(told string) string {
	return nextRuns.ReplaceAllString(cursors.ReplaceAllString(told, `"cursor":"…"`), "-next")
}

// assembled puts texts together: whether they came in pieces, and in how many, is chance.
func assembled(messages []strict.Message) (out []strict.Message) {
	var text string
	for _, m := range messages {
		if m.Type == "token_stream" {
			if *m.IsFirst {
				text = ""
			}
			if text += *m.Token; !*m.IsLast {
				continue
			}
			whole := text
			m.Type, m.Content, m.Message = "chat_response", &whole, whole
			m.Token, m.IsFirst, m.IsLast, text = nil, nil, nil, ""
		}
		out = append(out, m)
	}
	return out
}

// durable returns the messages of the log.
func durable(messages []strict.Message) (out []strict.Message) {
	for _, m := range assembled(messages) {
		if m.Cursor != "" {
			out = append(out, m)
		}
	}
	return out
}

// told writes messages down, a line each.
func told(messages []strict.Message) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, m := range assembled(messages) {
		if m.Until != "" {
			m.Until = "SOON"
		}
		if m.Deadline != "" {
			m.Deadline = "SOON"
		}
		if err := e.Encode(m); err != nil {
			panic(err)
		}
	}
	return askIDs.ReplaceAllString(b.String(), `"ask_…"`)
}
