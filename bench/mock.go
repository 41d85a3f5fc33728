package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The mock is a provider without latency. It keeps no state: the name of the model is the script
// ("mock-s4-t64-d0-w0": 4 tool calls, then a text of 64 tokens, with 0 ms between them), and how far a
// conversation has come is seen from its messages. The last number, if it is not zero, makes each
// token say when it was sent, and be so many bytes wide.

func modelName(s spec) string {
	return fmt.Sprintf("mock-s%d-t%d-d%d-w%d", s.Steps, s.Tokens, s.Delay, s.Wide)
}

// A script is what the mock is told by the name of the model.
type script struct{ steps, tokens, delay, wide int }

// serveMock tells its port and serves until the parent is gone.
func serveMock() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := tell(figures{"port": float64(l.Addr().(*net.TCPAddr).Port)}); err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(answerMock), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	return untilAlone()
}

var mockIDs atomic.Int64

func answerMock(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	play, ok := readScript(body)
	if !ok {
		http.Error(w, "the model's name is no script", http.StatusBadRequest)
		return
	}
	w.Header()["Content-Type"] = []string{"text/event-stream"}
	id := mockIDs.Add(1)
	if play.steps > 0 && !bytes.Contains(body, []byte(`"tools":[`)) {
		play.tokens = summaryTokens // an older part of the conversation is being summarised
	} else if seen := stepsIn(body); seen < play.steps {
		_, _ = w.Write(mockCall(id, seen+1))
		return
	}
	mockText(w, id, play)
}

// summaryTokens is how long the mock makes a summary.
const summaryTokens = 8

// stepsIn is the number of the last step whose result a conversation has. Older results may have been summarised.
func stepsIn(body []byte) int {
	at := bytes.LastIndex(body, []byte(resultText))
	if at < 0 {
		return 0
	}
	n := 0
	for _, c := range body[at+len(resultText):] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// resultText stands before the number of a step in what the tool returns.
const resultText = "result for step "

// readScript finds the name of the model in a request.
func readScript(body []byte) (s script, ok bool) {
	_, rest, ok := bytes.Cut(body, []byte(`"model":"mock-s`))
	name, _, closed := strings.Cut(string(rest[:min(len(rest), 40)]), `"`)
	if !ok || !closed {
		return s, false
	}
	_, err := fmt.Sscanf(name, "%d-t%d-d%d-w%d", &s.steps, &s.tokens, &s.delay, &s.wide)
	return s, err == nil
}

const (
	chunkHead = `data: {"id":"chatcmpl-%d","object":"chat.completion.chunk","created":1700000000,"model":"mock","choices":[{"index":0,"delta":`
	chunkTail = `,"logprobs":null,"finish_reason":null}]}` + "\n\n"
	chunkEnd  = `{},"logprobs":null,"finish_reason":"%s"}]}` + "\n\ndata: [DONE]\n\n"
)

func mockCall(id int64, step int) []byte {
	out := fmt.Appendf(make([]byte, 0, 1536), chunkHead, id)
	out = fmt.Appendf(out, `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":"lookup","arguments":""}}]}`+chunkTail, id)
	out = fmt.Appendf(out, chunkHead, id)
	out = fmt.Appendf(out, `{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":\"step %d\"}"}}]}`+chunkTail, step)
	out = fmt.Appendf(out, chunkHead, id)
	return fmt.Appendf(out, chunkEnd, "tool_calls")
}

// mockText writes every token by itself, as real providers do. The first one is different in every
// answer, so that no store can keep two answers as one text.
func mockText(w http.ResponseWriter, id int64, play script) {
	flusher := w.(http.Flusher)
	head := fmt.Appendf(make([]byte, 0, 512), chunkHead, id)
	began := time.Now()
	for i := range play.tokens {
		if i > 0 && play.delay > 0 {
			// Counted from the beginning, so that a busy machine does not make the whole longer.
			time.Sleep(time.Until(began.Add(time.Duration(i*play.delay) * time.Millisecond)))
		}
		token := "tok" + strconv.Itoa(i)
		if i == 0 {
			token += "-" + strconv.FormatInt(id, 10)
		}
		if play.wide > 0 {
			token = stamped(token, play.wide)
		}
		_, _ = w.Write(append(append(head, `{"content":"`+token+` "}`...), chunkTail...))
		flusher.Flush()
	}
	_, _ = w.Write(fmt.Appendf(head, chunkEnd, "stop"))
}

// stamped writes the time behind a token, and makes it as wide as it should be.
func stamped(token string, wide int) string {
	token += stampMark + strconv.FormatInt(time.Now().UnixNano(), 10)
	return token + strings.Repeat(".", max(0, wide-len(token)))
}

// stampMark stands before the time in a token.
const stampMark = "@"
