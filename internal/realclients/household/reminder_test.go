// Package household follows a reminder through everything that rein ships for it: the chat, the offline model, the job, the
// session, the feed, a server of Telegram's Bot API from npm and OpenSMTPD.
package household

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rein/api"
	"rein/app"
	"rein/household/post"
	"rein/internal/labs"
	"rein/internal/node"
	"rein/internal/smtpd"
)

const patience = time.Minute

// A house is a service with all channels, and what stands around it.
type house struct {
	*testing.T
	options app.Options
	bot     string // the address of the Bot API server
	mail    *smtpd.Server
	url     string // of the service
	token   string
	me      *app.App
}

func newHouse(t *testing.T, language string) *house {
	t.Helper()
	h := &house{T: t, mail: smtpd.Start(t, "ann")}
	program := node.Need(t, "../_node/node_modules/telegram-test-api/package.json", "reminders are NOT tested with a Bot API server from npm")
	cmd := exec.CommandContext(t.Context(), program, filepath.Join("..", "_node", "telegram.mjs"))
	cmd.Stderr, cmd.WaitDelay = os.Stderr, 5*time.Second
	out, err := cmd.StdoutPipe()
	h.check(err)
	h.check(cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // it is killed when the test ends
	port, err := bufio.NewReader(out).ReadString('\n')
	h.check(err)
	h.bot = "http://127.0.0.1:" + strings.TrimSpace(port)
	data := t.TempDir()
	h.options = app.Options{
		Data: data, Env: []string{"HOME=" + t.TempDir(), "BOT_TOKEN=4242:lab"},
		Set: map[string]string{
			"server.listen": "127.0.0.1:0", "language": language, "zone": "Europe/Amsterdam", "telegram.token": "env:BOT_TOKEN", "telegram.base_url": h.bot,
			"mail.host": "127.0.0.1", "mail.port": strconv.Itoa(h.mail.Port), "mail.tls": "none", "mail.from": "rein@example.org",
		},
	}
	return h
}

func (h *house) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// serve serves the folder by a clock that is ahead by so much, until leave is called.
func (h *house) serve(ctx context.Context, ahead time.Duration) (me *app.App, leave func()) {
	h.Helper()
	h.options.Now = func() time.Time { return time.Now().Add(ahead) }
	s, err := app.New(h.options).Listen(ctx, nil)
	h.check(err)
	serving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(serving) }()
	if me = app.Dial(ctx, app.Place{Folder: h.options.Data}); me == nil {
		h.Fatal("the service does not answer")
	}
	h.me = me
	if h.url = s.URL(); h.token == "" {
		made, err := me.NewToken(ctx, api.NewToken{Label: "chat"})
		h.check(err)
		h.token = made.Text
	}
	return me, func() {
		h.Helper()
		stop()
		h.check(<-done)
	}
}

// post sends JSON and reads the answer.
func (h *house) post(url string, body, into any) {
	h.Helper()
	data, err := json.Marshal(body)
	h.check(err)
	h.send(http.MethodPost, url, bytes.NewReader(data), into)
}

// send sends a request, with the token if it is for the service, and reads the answer.
func (h *house) send(method, url string, body io.Reader, into any) {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), method, url, body)
	h.check(err)
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(url, h.url) {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := http.DefaultClient.Do(request)
	h.check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	h.check(err)
	if response.StatusCode != http.StatusOK {
		h.Fatalf("%s: %s %s", url, response.Status, text)
	}
	if into != nil {
		h.check(json.Unmarshal(text, into))
	}
}

// chat says something to the assistant and returns what a person reads.
func (h *house) chat(text string) string {
	h.Helper()
	var reply struct{ Message string }
	h.post(h.url+"/chat", map[string]string{"message": text}, &reply)
	return reply.Message
}

// shown counts the messages of the bot that have a text in them.
func (h *house) shown(text string) (n int) {
	h.Helper()
	var all []struct{ Text string }
	h.post(h.bot+"/lab/shown", struct{}{}, &all)
	for _, m := range all {
		n += strings.Count(m.Text, text)
	}
	return n
}

// until looks again and again, because the server from npm tells nobody when it has got something.
func (h *house) until(ctx context.Context, what string, is func() bool) {
	h.Helper()
	for !is() {
		select {
		case <-ctx.Done():
			told, _ := h.me.Messages(context.WithoutCancel(ctx), api.MessageQuery{})
			jobs, _ := h.me.Jobs(context.WithoutCancel(ctx), true)
			h.Fatalf("this did not happen: %s; messages: %+v, jobs: %+v", what, told, jobs)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// connect pairs the chat of the bot and verifies the address, as a person does, and returns their channels.
func (h *house) connect(ctx context.Context, me *app.App) {
	h.Helper()
	code, err := me.NewPairingCode(ctx)
	h.check(err)
	h.post(h.bot+"/lab/say", map[string]string{"text": "/start " + code.Code}, nil)
	added, err := me.AddChannel(ctx, api.NewChannel{Kind: "mail", Address: "ann@example.org"})
	h.check(err)
	letters, err := h.mail.Letters(ctx, "ann", 1)
	h.check(err)
	found := regexp.MustCompile(`(?m)^    (\d{8})`).FindStringSubmatch(letters[0].Body)
	if len(found) != 2 {
		h.Fatalf("there is no code in %q", letters[0].Body)
	}
	_, err = me.VerifyChannel(ctx, added.ID, found[1])
	h.check(err)
	h.until(ctx, "the chat is paired", func() bool {
		list, err := me.Channels(ctx)
		h.check(err)
		return len(list) == 2
	})
}

// A reminder that somebody asks for offline is a sentence, a yes, and a row at nine. When the clock is there, after a
// restart, it is in the session, in the list of messages, in Telegram and in the mailbox, and in each of them once.
//
// Covers: NEU-50/agenda NEU-56 NEU-57 NEU-62/agenda
func TestReminderReachesThePerson(t *testing.T) {
	labs.Only(t)
	for _, c := range []struct{ language, says, question, yes, label string }{
		{"nl", "Herinner me morgen om 9 aan de tandarts", "Zal ik je op %s herinneren aan 'tandarts'?", "ja", "tandarts"},
		{"en", "Remind me tomorrow at nine of the dentist", "Shall I remind you of 'dentist' on %s?", "yes", "dentist"},
	} {
		t.Run(c.language, func(t *testing.T) {
			h := newHouse(t, c.language)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			me, leave := h.serve(ctx, 0)
			h.connect(ctx, me)

			asked := h.chat(c.says)
			if pattern := fmt.Sprintf(regexp.QuoteMeta(c.question), `.+09:00`); !regexp.MustCompile(`(?m)^` + pattern + `$`).MatchString(asked) {
				t.Errorf("it asks %q, want %s", asked, pattern)
			}
			h.chat(c.yes)
			jobs, err := me.Jobs(ctx, false)
			h.check(err)
			zone, err := time.LoadLocation("Europe/Amsterdam")
			h.check(err)
			if len(jobs) != 1 || jobs[0].Label != c.label || jobs[0].Next.In(zone).Format("15:04") != "09:00" {
				t.Fatalf("%+v", jobs)
			}
			next := jobs[0].Next
			if day := time.Now().In(zone).AddDate(0, 0, 1); next.In(zone).Format(time.DateOnly) != day.Format(time.DateOnly) {
				t.Errorf("it fires on %s", next)
			}
			leave()

			// Twice: what has fired and was sent does not come again.
			for range 2 {
				me, leave = h.serve(ctx, time.Until(next)+time.Second)
				h.until(ctx, "it was delivered everywhere", func() bool { return h.delivered(ctx, me, c.label) })
				leave()
			}
			me, leave = h.serve(ctx, time.Until(next)+time.Minute)
			defer leave()
			letters, err := h.mail.Letters(ctx, "ann", 2)
			h.check(err)
			if n := h.shown(c.label); n != 1 || len(letters) != 2 || !strings.Contains(letters[1].Body, c.label) {
				t.Errorf("%d messages in Telegram, %d letters: %+v", n, len(letters), letters)
			}
			var history struct {
				Messages []struct{ Role, Content string }
			}
			h.send(http.MethodGet, h.url+"/chat/history", nil, &history)
			told := 0
			for _, m := range history.Messages {
				if m.Role == "assistant" && !strings.Contains(m.Content, "?") && strings.Contains(m.Content, c.label) && !strings.Contains(m.Content, "offline") {
					told++
				}
			}
			if told != 1 {
				t.Errorf("the session has it %d times: %+v", told, history.Messages)
			}
		})
	}
}

// delivered reports whether the one message about something was delivered to both channels.
func (h *house) delivered(ctx context.Context, me *app.App, text string) bool {
	h.Helper()
	list, err := me.Messages(ctx, api.MessageQuery{})
	h.check(err)
	found := 0
	for _, m := range list.Messages {
		if m.Kind != string(post.Reminder) || !strings.Contains(m.Text, text) {
			continue // what asked was seen and answered in the chat
		}
		found++
		for _, sent := range m.Sent {
			if sent.State != "delivered" {
				return false
			}
		}
		if len(m.Sent) != 2 {
			return false
		}
	}
	if found > 1 {
		h.Fatalf("there are %d messages: %+v", found, list.Messages)
	}
	return found == 1
}
