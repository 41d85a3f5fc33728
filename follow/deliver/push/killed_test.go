package push_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/deliver/mail"
	"rein/follow/deliver/push"
	"rein/household/channels"
	"rein/household/people"
	"rein/household/post"
	"rein/internal/node"
	"rein/internal/smtpd"
	"rein/server/port"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

const patience = 30 * time.Second

// A task is what a process of the lab does.
type task struct {
	Data     string // the folder of the store
	SMTP     int
	Push     string // where the push service is
	Cert     string
	Kill     string     // the step after which the process is killed; empty: none
	Want     int        // it leaves when so many deliveries were made
	Ask      rein.AskID // it answers this ask, and delivers nothing
	Channel  string     // from here
	Shown    string
	Expected rein.Code // of the answer
}

const taskVariable = "REIN_DELIVER_LAB"

func TestMain(m *testing.M) {
	if text := os.Getenv(taskVariable); text != "" {
		var t task
		err := json.Unmarshal([]byte(text), &t)
		if err == nil {
			err = t.do()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// kill ends this process as a power cut does.
func kill() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func (t task) do() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := sqlite.Open(ctx, filepath.Join(t.Data, "rein.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if t.Ask != "" {
		return t.answer(ctx, s)
	}
	sends, err := mail.New(mail.Options{Host: "127.0.0.1", Port: t.SMTP, Security: mail.Plain, From: "rein@example.org"})
	if err != nil {
		return err
	}
	browsers := push.New(push.Options{Keys: fileBox(filepath.Join(t.Data, "push.key")), Contact: func() string { return "mailto:me@example.org" }})
	transport, err := t.transport()
	if err != nil {
		return err
	}
	browsers.UseTransport(transport)
	office := deliver.New(deliver.Options{
		Store: s, Channels: []deliver.Channel{sends, browsers}, Lease: 200 * time.Millisecond, Look: 5 * time.Millisecond, Patient: time.Nanosecond, Pause: 20 * time.Millisecond,
	})
	recorded := make(chan struct{}, 100)
	office.Trip(func(step string) {
		if step == t.Kill {
			kill()
		}
		if strings.HasSuffix(step, "recorded") {
			recorded <- struct{}{}
		}
	})
	serving, leave := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- office.Serve(serving) }()
	for {
		select {
		case <-recorded:
		case <-ctx.Done():
			leave()
			return errors.Join(ctx.Err(), <-served)
		}
		if made, err := delivered(ctx, s); err != nil || made >= t.Want && t.Kill == "" {
			leave()
			return errors.Join(err, <-served)
		}
	}
}

func delivered(ctx context.Context, s *sqlite.Store) (n int, err error) {
	err = s.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err := deliver.KeptOf(ctx, q, "home")
		for _, d := range all {
			if d.State == rein.Delivered {
				n++
			}
		}
		return err
	})
	return n, err
}

// transport reaches the push service of the test, whatever the name.
func (t task) transport() (http.RoundTripper, error) {
	cert, err := os.ReadFile(t.Cert)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
		},
	}, nil
}

// answer says yes from a channel, and is killed once that is recorded, or finds that it was.
func (t task) answer(ctx context.Context, s *sqlite.Store) error {
	a := deliver.Answers{
		Book: channels.Book{Tables: s}, Who: (&people.People{Tables: s}).Reached,
		Do: func(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error) {
			return port.AnswerAsk(ctx, s, commander{s: s}, who, ask, answer)
		},
	}
	_, err := a.Answer(ctx, t.Channel, t.Ask, rein.Answer{State: rein.AskApproved, Shown: t.Shown})
	if t.Kill != "" && err == nil {
		kill()
	}
	if rein.CodeOf(err) != t.Expected {
		return fmt.Errorf("the answer: %v, want %q", err, t.Expected)
	}
	return nil
}

// A commander sends commands to a store without an engine.
type commander struct {
	port.Commander
	s *sqlite.Store
}

func (c commander) Command(ctx context.Context, command rein.Command) (rein.Receipt, error) {
	return c.s.Command(ctx, command, time.Now())
}

// A fileBox keeps the key of web push over processes.
type fileBox string

func (b fileBox) Get(context.Context) ([]byte, error) {
	value, err := os.ReadFile(string(b))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no key yet")
	}
	return value, err
}

func (b fileBox) Put(_ context.Context, value []byte) error {
	return os.WriteFile(string(b), value, 0o600)
}

// Processes that deliver are killed after each step: gathered, claimed, sent, recorded. Each message still reaches the mailbox
// and the browser, at least once and with one ID, so that it is shown once: OpenSMTPD delivers the mail, http_ece decrypts the
// push. The yes to a question counts once, also if whoever sent it was killed and says it again.
//
// Covers: NEU-57
func TestKilled(t *testing.T) {
	t.Parallel()
	server := smtpd.Start(t, "ann")
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	service := startService(t, cert, key)
	work := task{Data: dir, SMTP: server.Port, Push: service.Endpoint, Cert: cert}
	lab := newLab(t, dir, service)
	steps := []string{"gathered", "mail claimed", "mail sent", "mail recorded", "push claimed", "push sent", "push recorded"}
	for _, step := range steps {
		lab.put("after " + step)
		work.Kill = step
		work.run(t)
	}
	ask := lab.ask()
	work.Kill, work.Want = "", 2*(len(steps)+1)
	work.run(t)
	lab.checkMail(server, len(steps)+1)
	lab.checkPushes(service, len(steps)+1, ask)

	work.Ask, work.Channel, work.Shown, work.Kill = ask.ID, lab.push.ID, ask.Shown, "answered"
	work.run(t)
	work.Kill, work.Expected = "", rein.CodeClosed
	work.run(t)
	lab.checkAnswered(ask.ID)
}

// run has a process do the task, and looks at how it ended.
func (t task) run(test *testing.T) {
	test.Helper()
	text, err := json.Marshal(t)
	check(test, err)
	cmd := exec.CommandContext(test.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), taskVariable+"="+string(text))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if t.Kill != "" && (!status.Signaled() || status.Signal() != syscall.SIGKILL) || t.Kill == "" && err != nil {
		test.Fatalf("a process that is to be killed after %q ended so: %v\n%s", t.Kill, err, out.String())
	}
}

// A lab is the store, between the processes that have it open.
type lab struct {
	*testing.T
	dir  string
	push channels.Channel
}

func newLab(t *testing.T, dir string, s *service) *lab {
	t.Helper()
	l := &lab{T: t, dir: dir}
	l.with(func(db *sqlite.Store) {
		who := &people.People{Tables: db}
		check(t, who.Begin(t.Context()))
		_, err := who.AddUser(t.Context(), rein.Host(), "ann", rein.Member)
		check(t, err)
		book := channels.Book{Tables: db}
		_, err = book.Put(t.Context(), channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: "ann@example.org", Verified: time.Now()})
		check(t, err)
		c, err := push.New(push.Options{}).Channel("home", "ann", s.Endpoint, "laptop", s.Subscription)
		check(t, err)
		l.push, err = book.Put(t.Context(), c)
		check(t, err)
	})
	return l
}

func (l *lab) with(do func(*sqlite.Store)) {
	l.Helper()
	s, err := sqlitetest.Open(l, filepath.Join(l.dir, "rein.db"), sqlite.Options{})
	check(l.T, err)
	do(s)
	check(l.T, s.Close())
}

func (l *lab) put(text string) {
	l.Helper()
	l.with(func(s *sqlite.Store) {
		check(l.T, s.Write(l.Context(), func(ctx context.Context, tx rein.Tx) error {
			return post.Put(ctx, tx, post.Message{ID: text, Household: "home", User: "ann", Kind: post.Reminder, Text: text, At: time.Now()})
		}))
	})
}

// ask has a run of ann's ask something.
func (l *lab) ask() (ask rein.Ask) {
	l.Helper()
	l.with(func(s *sqlite.Store) {
		budget := rein.DefaultBudget()
		_, _, err := s.Start(l.Context(), store.Start{Run: "r1", At: time.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{
			Flow: "task", Household: "home", User: "ann", Session: "s", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "Remind me."}},
		}}})
		check(l.T, err)
		ask = rein.Ask{
			ID: rein.NewAskID("r1", "1.ask"), Run: "r1", Step: "1", Kind: rein.AskApproval, Text: "Shall I add 'dentist'?",
			Call: &rein.ToolCall{ID: "c", Name: "cron.add"}, Family: "cron", Effect: rein.Pure, Shown: rein.ShownMark + "1", State: rein.AskPending, Opened: time.Now().UTC(),
		}
		_, err = s.Append(l.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{Kind: rein.AskOpened, Step: "1.ask", At: time.Now(), Data: &ask, Opens: &ask}}})
		check(l.T, err)
	})
	return ask
}

func (l *lab) checkMail(server *smtpd.Server, want int) {
	l.Helper()
	ctx, cancel := context.WithTimeout(l.Context(), patience)
	defer cancel()
	ids := map[string]bool{}
	for least := want + 1; len(ids) < want; least++ { // some were sent twice: their process was killed before it could record it
		letters, err := server.Letters(ctx, "ann", least)
		check(l.T, err)
		for _, letter := range letters {
			ids[letter.Header.Get("Message-ID")] = true
		}
	}
	if len(ids) != want {
		l.Errorf("the letters have %d IDs, want %d: %v", len(ids), want, ids)
	}
}

func (l *lab) checkPushes(s *service, want int, ask rein.Ask) {
	l.Helper()
	texts, tags, keys, asked := map[string]bool{}, map[string]int{}, map[string]bool{}, false
	for copies := 0; len(tags) < want || copies <= want; copies++ { // some come twice
		p := s.next(l.T)
		if p.Type != "push" || !p.Proof.Good || p.Proof.Sub != "mailto:me@example.org" || p.Coding != "aes128gcm" || p.Topic != p.Message.ID || p.TTL != "86400" || p.Urgency != "high" {
			l.Errorf("%+v", p)
		}
		texts[p.Message.Text], keys[p.Proof.Key] = true, true
		tags[p.Message.ID]++
		asked = asked || p.Message.Ask == ask.ID && p.Message.Shown == ask.Shown
	}
	if len(texts) != want || len(tags) != want || len(keys) != 1 || !asked {
		l.Errorf("%d texts, %d tags, %d keys, asked: %v; %v", len(texts), len(tags), len(keys), asked, tags)
	}
}

// checkAnswered holds that the log has one answer, and the ask is closed by it.
func (l *lab) checkAnswered(id rein.AskID) {
	l.Helper()
	l.with(func(s *sqlite.Store) {
		answers := 0
		for e, err := range s.Events(l.Context(), "r1", 0) {
			check(l.T, err)
			if e.Kind.Command() == rein.CommandAnswer {
				answers++
			}
		}
		closed, err := s.Ask(l.Context(), id)
		check(l.T, err)
		if answers != 1 || closed.State != rein.AskApproved || closed.Answer.By != "ann" {
			l.Errorf("%d answers, %+v", answers, closed)
		}
	})
}

// A service is push.mjs: a push service, and a browser behind it.
type service struct {
	Endpoint string `json:"endpoint"`
	push.Subscription
	lines <-chan pushed
}

// pushed is what it prints.
type pushed struct {
	Type    string `json:"type"`
	Data    string `json:"data"`
	Message struct {
		ID    string     `json:"id"`
		Text  string     `json:"text"`
		Ask   rein.AskID `json:"ask"`
		Shown string     `json:"shown"`
	} `json:"message"`
	TTL     string `json:"ttl"`
	Urgency string `json:"urgency"`
	Topic   string `json:"topic"`
	Coding  string `json:"coding"`
	Proof   struct {
		Good bool   `json:"good"`
		Key  string `json:"key"`
		Sub  string `json:"sub"`
	} `json:"proof"`
}

func startService(t *testing.T, cert, key string) *service {
	t.Helper()
	clients, err := filepath.Abs("../../../internal/realclients/_node")
	check(t, err)
	program := node.Need(t, filepath.Join(clients, "node_modules", "http_ece", "package.json"), "web push is NOT decrypted by http_ece")
	cmd := exec.CommandContext(t.Context(), program, filepath.Join(clients, "push.mjs"), cert, key)
	cmd.WaitDelay = 5 * time.Second
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	scan := bufio.NewScanner(out)
	if !scan.Scan() {
		t.Fatal("push.mjs says nothing")
	}
	s := &service{}
	check(t, json.Unmarshal(scan.Bytes(), s))
	lines, ended := make(chan pushed, 100), make(chan struct{})
	s.lines = lines
	go func() {
		defer close(ended)
		for scan.Scan() {
			var p pushed
			if err := json.Unmarshal(scan.Bytes(), &p); err != nil {
				p.Type, p.Data = "error", err.Error()
			}
			lines <- p
		}
		_ = cmd.Wait() // the end of the test ends it
	}()
	t.Cleanup(func() { <-ended })
	return s
}

func (s *service) next(t *testing.T) pushed {
	t.Helper()
	select {
	case p := <-s.lines:
		return p
	case <-time.After(patience):
		t.Fatal("no push came")
	}
	return pushed{}
}

// certificate makes one for the push service, and returns the files of it and its key.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "push.example"}, DNSNames: []string{"push.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	check(t, err)
	kept, err := x509.MarshalECPrivateKey(pair)
	check(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	check(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	check(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: kept}), 0o600))
	return cert, key
}
