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
// ("mock-s4-t64-d0": 4 tool calls, then a text of 64 tokens, with 0 ms between them), and how far a
// conversation has come is seen from its messages.

func modelName(s spec) string { return fmt.Sprintf("mock-s%d-t%d-d%d", s.Steps, s.Tokens, s.Delay) }

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
	steps, tokens, delay, ok := readScript(body)
	if !ok {
		http.Error(w, "the model's name is no script", http.StatusBadRequest)
		return
	}
	w.Header()["Content-Type"] = []string{"text/event-stream"}
	id := mockIDs.Add(1)
	if seen := bytes.Count(body, []byte(`"role":"tool"`)); seen < steps {
		_, _ = w.Write(mockCall(id, seen+1))
		return
	}
	mockText(w, id, tokens, delay)
}

// readScript finds the name of the model in a request.
func readScript(body []byte) (steps, tokens, delay int, ok bool) {
	_, rest, ok := bytes.Cut(body, []byte(`"model":"mock-s`))
	name, _, closed := strings.Cut(string(rest[:min(len(rest), 40)]), `"`)
	if !ok || !closed {
		return 0, 0, 0, false
	}
	_, err := fmt.Sscanf(name, "%d-t%d-d%d", &steps, &tokens, &delay)
	return steps, tokens, delay, err == nil
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
func mockText(w http.ResponseWriter, id int64, tokens, delay int) {
	flusher := w.(http.Flusher)
	head := fmt.Appendf(make([]byte, 0, 512), chunkHead, id)
	for i := range tokens {
		if i > 0 && delay > 0 {
			time.Sleep(time.Duration(delay) * time.Millisecond)
		}
		token := "tok" + strconv.Itoa(i)
		if i == 0 {
			token += "-" + strconv.FormatInt(id, 10)
		}
		_, _ = w.Write(append(append(head, `{"content":"`+token+` "}`...), chunkTail...))
		flusher.Flush()
	}
	_, _ = w.Write(fmt.Appendf(head, chunkEnd, "stop"))
}
