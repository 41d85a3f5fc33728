// Package telegram lets people talk to a whole rein through a server of the Bot API that somebody else wrote, from npm, and
// ends rein with kill -9 at every step in between.
package telegram

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
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/app"
	"rein/internal/labs"
	"rein/internal/node"
)

// patience is never waited for unless something is wrong.
const patience = time.Minute

// inside is the variable that makes this test program a rein: its value is the data folder.
const inside = "TELEGRAM_LAB"

func TestMain(m *testing.M) {
	if dir := os.Getenv(inside); dir != "" {
		if err := serve(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve is rein serve, with a tool that must not be executed twice. It tells its log what it does.
func serve(dir string) error {
	buy := rein.Tool{
		Name: "buy", Description: "Buys something.", Effect: rein.Unsafe, Approval: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}`),
		Show: func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
			var args struct{ What string }
			err := json.Unmarshal(inv.Args, &args)
			return rein.Shown{Say: "Zal ik " + args.What + " kopen?"}, err
		},
		Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			f, err := os.OpenFile(filepath.Join(dir, "bought"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return rein.Done{}, err
			}
			defer f.Close()
			_, err = f.WriteString("x")
			return rein.Done{Text: "gekocht"}, err
		},
	}
	setup := app.New(app.Options{Data: dir, Config: filepath.Join(dir, "rein.toml"), Env: []string{"BOT_TOKEN=4242:lab"}, Tools: []rein.Tool{buy}})
	service, err := setup.Listen(context.Background(), nil)
	if err != nil {
		return err
	}
	return service.Serve(context.Background())
}

const script = `
when phase=chat last~koop
say [NEED_TASK]

when phase=observe
say {"type": "tool_call", "tool": "buy", "args": {"what": "brood"}}

when phase=write
say Het brood is gekocht.

when
say Goedemorgen, Ann.
`

// A lab is a rein that is started again whenever it is killed, and the server that it polls.
type lab struct {
	*testing.T
	dir, peer string

	mu      sync.Mutex
	process *exec.Cmd
	starts  int
	over    bool
	ended   sync.WaitGroup
	log     bytes.Buffer
}

func newLab(t *testing.T) *lab {
	t.Helper()
	program := node.Need(t, "../_node/node_modules/telegram-test-api/package.json", "Telegram is NOT tested with a server from npm")
	l := &lab{T: t, dir: t.TempDir()}
	cmd := exec.CommandContext(t.Context(), program, filepath.Join("..", "_node", "telegram.mjs"))
	cmd.Stderr, cmd.WaitDelay = os.Stderr, 5*time.Second
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // it is killed when the test ends
	port, err := bufio.NewReader(out).ReadString('\n')
	check(t, err)
	l.peer = "http://127.0.0.1:" + strings.TrimSpace(port)
	text := ""
	for i := range 20 { // what settled says
		text += fmt.Sprintf("when phase=chat last~\"einde %d.\"\nsay Einde %d.\n\n", i, i)
	}
	check(t, os.WriteFile(filepath.Join(l.dir, "script"), []byte(text+script), 0o600))
	check(t, os.WriteFile(filepath.Join(l.dir, "rein.toml"), fmt.Appendf(nil, `
model = "lab"
language = "nl"
[server]
listen = "127.0.0.1:0"
[telegram]
token = "env:BOT_TOKEN"
base_url = %q
[models.lab]
kind = "script"
file = %q
`, l.peer, filepath.Join(l.dir, "script")), 0o600))
	l.start()
	t.Cleanup(l.end)
	return l
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start starts rein, and starts it again each time it dies.
func (l *lab) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), inside+"="+l.dir)
	errs, err := cmd.StderrPipe()
	check(l.T, err)
	check(l.T, cmd.Start())
	l.process, l.starts = cmd, l.starts+1
	l.ended.Go(func() {
		text, _ := io.ReadAll(errs)
		wrong := cmd.Wait()
		l.mu.Lock()
		l.log.Write(text)
		l.mu.Unlock()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			l.Errorf("rein ended by itself: %v: %s", wrong, text)
			return
		}
		l.start()
	})
}

// end ends rein for good.
func (l *lab) end() {
	l.mu.Lock()
	l.over = true
	err := l.process.Process.Kill()
	l.mu.Unlock()
	l.ended.Wait()
	if err != nil && err != os.ErrProcessDone {
		l.Error(err)
	}
	if log := l.log.String(); strings.Contains(log, "4242:lab") || strings.Contains(log, "Goedemorgen") {
		l.Errorf("the log says too much: %s", log)
	}
}

// kill has the running rein killed at a moment: before a method is carried out, when it was and is not answered (done), or
// after it was answered.
func (l *lab) kill(method, when string, nth int) {
	l.Helper()
	l.mu.Lock()
	pid := l.process.Process.Pid
	l.mu.Unlock()
	l.ask("kill", map[string]any{"pid": pid, "method": method, "when": when, "nth": nth}, nil)
}

// ask asks the front of the server for something.
func (l *lab) ask(what string, params, result any) {
	l.Helper()
	data, err := json.Marshal(params)
	check(l.T, err)
	response, err := http.Post(l.peer+"/lab/"+what, "application/json", bytes.NewReader(data))
	check(l.T, err)
	defer response.Body.Close()
	if result != nil {
		check(l.T, json.NewDecoder(response.Body).Decode(result))
	}
}

// A message is what the bot has shown.
type message struct {
	ID      int64  `json:"id"`
	Text    string `json:"text"`
	Buttons []struct {
		Text string `json:"text"`
		Data string `json:"callback_data"`
	} `json:"buttons"`
}

func (l *lab) shown() (all []message) {
	l.Helper()
	l.ask("shown", map[string]any{}, &all)
	return all
}

// await waits until a message is shown that has a text in it.
func (l *lab) await(text string) message {
	l.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		for _, m := range l.shown() {
			if strings.Contains(m.Text, text) {
				return m
			}
		}
	}
	l.Fatalf("%q is not shown, but %+v", text, l.shown())
	return message{}
}

// count is how many messages with a text in them are shown.
func (l *lab) count(text string) (n int) {
	l.Helper()
	for _, m := range l.shown() {
		if strings.Contains(m.Text, text) {
			n++
		}
	}
	return n
}

func (l *lab) say(text string) { l.ask("say", map[string]any{"text": text}, nil) }

func (l *lab) bought() int {
	data, err := os.ReadFile(filepath.Join(l.dir, "bought"))
	if err != nil && !os.IsNotExist(err) {
		l.Error(err)
	}
	return len(data)
}

// pair makes the chat the owner's.
func (l *lab) pair() {
	l.Helper()
	ctx, cancel := context.WithTimeout(l.Context(), patience)
	defer cancel()
	for ctx.Err() == nil {
		a := app.Dial(ctx, app.Place{Folder: l.dir})
		if a == nil {
			<-time.After(10 * time.Millisecond)
			continue
		}
		code, err := a.NewPairingCode(ctx)
		check(l.T, err)
		check(l.T, a.Close())
		l.say("/start " + code.Code)
		l.await("Vanaf nu is deze chat van jou")
		return
	}
	l.Fatal("rein does not start")
}

// started is how often rein was started.
func (l *lab) started() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.starts
}

// settled waits until rein was started so often, since it was killed, and has done all that it found to do: it has answered
// what comes after that.
func (l *lab) settled(starts int) {
	l.Helper()
	l.waitFor("another start", func() bool { return l.started() >= starts })
	l.say(fmt.Sprintf("einde %d.", starts))
	l.await(fmt.Sprintf("Einde %d.", starts))
}

// moments are the steps between which rein is killed, from the message of a person to the offset that confirms it.
var moments = []struct {
	what         string
	method, when string
	nth          int
}{
	{"the update is fetched", "getUpdates", "after", 1},
	{"the update is not even fetched", "getUpdates", "done", 1},
	{"the run has started", "sendChatAction", "before", 1},
	{"the message is about to be sent", "sendMessage", "before", 1},
	{"the message is sent, and nobody heard so", "sendMessage", "done", 1},
	{"the message is sent and answered", "sendMessage", "after", 1},
	{"the offset confirms the update", "getUpdates", "before", 1},
}

// Whenever rein is killed, a message is answered, its answer is shown once, and what a button approves is executed once.
//
// Covers: NEU-57
func TestKilled(t *testing.T) {
	labs.Only(t)
	l := newLab(t)
	l.pair()
	for i, m := range moments {
		starts := l.started()
		answers := l.count("Goedemorgen, Ann.")
		l.kill(m.method, m.when, m.nth)
		l.say(fmt.Sprintf("hallo %d", i))
		l.waitFor(m.what, func() bool { return l.count("Goedemorgen, Ann.") == answers+1 })
		l.settled(starts + 1)
		if n := l.count("Goedemorgen, Ann."); n != answers+1 {
			t.Errorf("%s: the answer is shown %d times", m.what, n-answers)
		}
	}
}

func (l *lab) waitFor(what string, is func() bool) {
	l.Helper()
	for deadline := time.Now().Add(patience); !is(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.Fatalf("%s: waited in vain, for %+v", what, l.shown())
		}
	}
}

// sayWhetherBought answers what rein asks if it was killed while the tool worked: whether that happened, by what a person
// can see. It returns the message that it answered last.
func (l *lab) sayWhetherBought(before int64, want int) int64 {
	l.Helper()
	shown := l.shown()
	last := shown[len(shown)-1]
	if len(last.Buttons) != 3 || last.ID == before {
		return before
	}
	button := 0 // it happened
	if l.bought() < want {
		button = 1 // do it again
	}
	l.ask("press", map[string]any{"data": last.Buttons[button].Data, "message": last.ID}, nil)
	return last.ID
}

// Whatever moment rein is killed at between the question and the end, what the button approves is executed once.
//
// Covers: LAW-3
func TestKilledApproval(t *testing.T) {
	labs.Only(t)
	l := newLab(t)
	l.pair()
	for i, m := range []struct{ method, when string }{
		{"getUpdates", "after"}, {"answerCallbackQuery", "before"}, {"answerCallbackQuery", "after"}, {"editMessageText", "before"}, {"editMessageText", "done"}, {"sendMessage", "done"},
	} {
		l.say("koop brood")
		l.waitFor("the question", func() bool { return l.count("Zal ik brood kopen?") == i+1 })
		shown := l.shown()
		ask := shown[len(shown)-1]
		if len(ask.Buttons) != 2 {
			t.Fatalf("%+v", ask)
		}
		starts := l.started()
		l.kill(m.method, m.when, 1)
		l.ask("press", map[string]any{"data": ask.Buttons[0].Data, "message": ask.ID}, nil)
		asked := int64(0)
		l.waitFor("the end", func() bool {
			asked = l.sayWhetherBought(asked, i+1)
			return l.count("Het brood is gekocht.") == i+1
		})
		l.waitFor("what was decided", func() bool { return l.count("✔ Ja, zei owner.") == i+1 })
		l.settled(starts + 1)
		if n := l.bought(); n != i+1 {
			t.Fatalf("killed %s %s: executed %d times instead of %d", m.when, m.method, n, i+1)
		}
		if n := l.count("Zal ik brood kopen?"); n != i+1 {
			t.Errorf("killed %s %s: asked %d times instead of %d", m.when, m.method, n, i+1)
		}
	}
}
