package sent_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"rein/model/sent"
)

// TestFreeWhenWritten gets an answer before the request was sent to its end: the body is not free until the server
// has taken the rest.
func TestFreeWhenWritten(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	goOn := make(chan struct{})
	go answerEarly(listener, goOn)
	body := &sent.Body{Data: []byte(strings.Repeat("x", 32<<20))} // more than sockets hold
	request, err := body.Post(t.Context(), "http://"+listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body.IsFree() {
		t.Error("the body is free, and the server has not taken it")
	}
	close(goOn)
	answer, err := io.ReadAll(response.Body)
	if err != nil || string(answer) != "ok" {
		t.Fatal(answer, err)
	}
	waitFree(body)
}

// answerEarly begins its answer before it has read the request, and ends it after that.
func answerEarly(listener net.Listener, goOn chan struct{}) {
	conn, err := listener.Accept()
	if err != nil {
		return
	}
	defer conn.Close()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
	<-goOn
	io.Copy(io.Discard, request.Body)
	io.WriteString(conn, "k")
}

// waitFree waits until the client has said that it is done with the body, which it does soon after its last byte.
func waitFree(body *sent.Body) {
	for !body.IsFree() {
		runtime.Gosched()
	}
}

// TestFreeAfterAnswer holds that the body of an exchange that went well can be written again.
func TestFreeAfterAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
	defer server.Close()
	body := &sent.Body{Data: []byte("one")}
	for range 3 {
		request, err := body.Post(t.Context(), server.URL)
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(answer) != string(body.Data) {
			t.Fatalf("%q, %v", answer, err)
		}
		waitFree(body)
		body.Data = append(body.Data, " more"...)
	}
}

// TestFreshBody holds that a request that is sent again gets the body again.
func TestFreshBody(t *testing.T) {
	body := &sent.Body{Data: []byte("one")}
	request, err := body.Post(t.Context(), "http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	again, err := request.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(again)
	if err != nil || string(data) != "one" || request.ContentLength != 3 || body.IsFree() {
		t.Errorf("%q, %v, of %d bytes; the body is free: %v", data, err, request.ContentLength, body.IsFree())
	}
}
