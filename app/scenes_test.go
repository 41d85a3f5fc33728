package app

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/household/post"
	"rein/model/script"
	"rein/server/dialect/assist"
)

var updateScenes = flag.Bool("update", false, "write down what the scenes of the household say")

// What a person in a household reads, in English and in Dutch: the scenes E1 to E11 of the assistant, over HTTP.
//
// Covers: NEU-10 NEU-20 NEU-21 NEU-22 NEU-23 NEU-24 NEU-50 NEU-51 NEU-52 NEU-53 NEU-54 NEU-55 NEU-61 NEU-62 NEU-62/agenda NEU-90
func TestScenes(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "nl"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			file := "testdata/scenes/" + language + ".txtar"
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			got := playScenes(t, parts["model"], parts["people"])
			if *updateScenes {
				archive.Files = append(archive.Files[:2], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(parts["want"], got); diff != "" {
				t.Errorf("this is read (go test -update writes it down):\n%s", diff)
			}
		})
	}
}

// A theatre is a served folder with one person before it.
type theatre struct {
	*testing.T
	ctx     context.Context
	options Options
	me      *client.Client
	leave   func()
	url     string
	token   string
	out     strings.Builder
}

func playScenes(t *testing.T, model, people string) string {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	scripted, err := script.Parse("model", []byte(model))
	if err != nil {
		t.Fatal(err)
	}
	s := &theatre{T: t, ctx: ctx, options: Options{
		Data: t.TempDir(), Env: []string{"HOME=" + t.TempDir()}, Models: map[string]rein.Model{"scripted": scripted},
		Set: map[string]string{"server.listen": "127.0.0.1:0", "model": "scripted", "zone": "Europe/Amsterdam"},
	}}
	defer func() {
		if t.Failed() {
			t.Log(s.out.String())
		}
	}()
	s.begin()
	for line := range strings.Lines(people) {
		line = strings.TrimSpace(line)
		word, text, _ := strings.Cut(line, " ")
		if word == "#" {
			fmt.Fprintf(&s.out, "\n%s\n", line)
			continue
		}
		fmt.Fprintf(&s.out, "> %s\n", line)
		switch word {
		case "say":
			s.say(text)
		case "stream":
			s.stream(text)
		case "execute":
			var done struct{ Error, Detail string }
			status := s.post("/chat/actions/execute", map[string]string{"action_id": text}, &done)
			s.read(fmt.Sprintf("%d: %s", status, done.Error+done.Detail))
		case "later":
			s.later(text)
		case "messages":
			list, err := s.me.Messages(s.ctx, api.MessageQuery{})
			s.check(err)
			for _, m := range list.Messages {
				if m.Kind == string(post.Reminder) {
					s.read(m.Text)
				}
			}
		default:
			t.Fatalf("%q is no line", line)
		}
	}
	s.leave()
	return strings.TrimLeft(s.out.String(), "\n")
}

func (s *theatre) begin() {
	service, me, leave := serving(s.ctx, s.T, s.options)
	s.me, s.leave, s.url = me, leave, service.url
	if s.token == "" {
		made, err := me.NewToken(s.ctx, api.NewToken{Label: "phone"})
		s.check(err)
		s.token = made.Text
	}
}

func (s *theatre) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// later stops rein and starts it again at that time; then the reminders of the past have been sent.
func (s *theatre) later(text string) {
	s.leave()
	at, err := time.Parse(time.RFC3339, text)
	s.check(err)
	began := time.Now()
	s.options.Now = func() time.Time { return at.Add(time.Since(began)) }
	s.begin()
	for _, err := range s.me.Live(s.ctx) {
		s.check(err)
		list, err := s.me.Messages(s.ctx, api.MessageQuery{})
		s.check(err)
		if slices.ContainsFunc(list.Messages, func(m api.PostedMessage) bool { return m.Kind == string(post.Reminder) }) {
			return
		}
	}
}

// read is a text before the person's eyes.
func (s *theatre) read(text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(&s.out, "  %s\n", strings.TrimRight(line, "\n"))
	}
}

func (s *theatre) say(text string) {
	var reply struct {
		Message, Detail string
	}
	s.post("/chat", assist.Request{Message: text}, &reply)
	s.read(reply.Message + reply.Detail)
}

func (s *theatre) stream(text string) {
	res := s.request("/chat/stream", assist.Request{Message: text})
	defer res.Body.Close()
	tokens := ""
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		var c assist.Chunk
		if !ok || json.Unmarshal([]byte(data), &c) != nil {
			continue
		}
		switch c.Type {
		case assist.StatusChunk:
			s.read("(" + c.Text + ")")
		case assist.Token:
			tokens += c.Text
		case assist.DoneChunk:
			if tokens != "" {
				s.read("while it is written: " + tokens)
			}
			s.read(*c.Message)
			if c.Error != "" {
				s.read("error: " + firstLine(c.Error))
			}
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (s *theatre) post(path string, body, into any) int {
	s.Helper()
	res := s.request(path, body)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	s.check(err)
	s.check(json.Unmarshal(data, into))
	return res.StatusCode
}

func (s *theatre) request(path string, body any) *http.Response {
	s.Helper()
	data, err := json.Marshal(body)
	s.check(err)
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url+path, strings.NewReader(string(data)))
	s.check(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(req)
	s.check(err)
	return res
}

// rein's own offline model makes a reminder of a message: over /chat, the sentence and a yes; over /v1, the same sentence
// in its parts; and the job is there, at nine tomorrow.
//
// Covers: NEU-62 NEU-62/agenda
func TestOfflineReminder(t *testing.T) {
	t.Parallel()
	for language, c := range map[string]struct{ asks, what, yes, sentence, why string }{
		"nl": {"Herinner me morgen om 9 aan de tandarts", "tandarts", "ja", "Zal ik je op ", "Waarom: je vroeg"},
		"en": {"Remind me tomorrow at nine of the dentist", "dentist", "yes", "Shall I remind you of 'dentist' on ", "Why: you asked"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			s := &theatre{T: t, ctx: ctx, options: Options{
				Data: t.TempDir(), Env: []string{"HOME=" + t.TempDir()},
				Set: map[string]string{"server.listen": "127.0.0.1:0", "model": "offline", "zone": "Europe/Amsterdam"},
			}}
			s.begin()
			defer func() { s.leave() }()
			s.say(c.asks)
			if got := s.out.String(); !strings.Contains(got, c.sentence) || !strings.Contains(got, c.why) || !strings.Contains(got, "\n    label: "+c.what+"\n") {
				t.Fatalf("the proposal is\n%s", got)
			}
			asks, err := s.me.Asks(ctx, api.AskQuery{})
			s.check(err)
			if len(asks) != 1 || !strings.HasPrefix(asks[0].Say, c.sentence) || asks[0].Language != language || asks[0].Reason == "" {
				t.Fatalf("over /v1: %+v", asks)
			}
			zone, err := time.LoadLocation("Europe/Amsterdam")
			s.check(err)
			tomorrow := asks[0].Opened.In(zone).AddDate(0, 0, 1).Format(time.DateOnly) + "T09:00"
			if args := string(asks[0].Call.Args); !strings.Contains(args, tomorrow) {
				t.Errorf("the call is %s, want %s", args, tomorrow)
			}
			s.out.Reset()
			s.say(c.yes)
			if got := s.out.String(); !strings.Contains(got, c.what) || !strings.Contains(got, "09:00") {
				t.Errorf("after the yes:\n%s", got)
			}
			jobs, err := s.me.Jobs(ctx, false)
			s.check(err)
			if len(jobs) != 1 || jobs[0].Label != c.what || jobs[0].Next.In(zone).Format("2006-01-02T15:04") != tomorrow {
				t.Errorf("the jobs are %+v, want one at %s", jobs, tomorrow)
			}
		})
	}
}
