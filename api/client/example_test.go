package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"rein/api"
	"rein/api/client"
)

// health stands for the API here. In a program it is server.New, or another process.
var health = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/health" {
		http.NotFound(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(api.Health{Version: "1.2.3"})
})

// The owner of a data folder listens on its socket, rein.sock.
func ExampleUnix() {
	folder, err := os.MkdirTemp("", "rein")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "rein.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	go http.Serve(listener, health)

	c := client.Unix(socket)
	h, err := c.Health(context.Background())
	fmt.Println(h.Version, err)
	// Output: 1.2.3 <nil>
}

// In the process that has the API, a client needs no socket.
func ExampleHandler() {
	c := client.Handler(health)
	h, err := c.Health(context.Background())
	fmt.Println(h.Version, err)

	_, err = c.Run(context.Background(), "r1")
	fmt.Println(err != nil)
	// Output:
	// 1.2.3 <nil>
	// true
}

// A server on another machine is reached with a token, and over https only.
func ExampleRemote() {
	_, err := client.Remote("http://rein.example", "token")
	fmt.Println(err)

	server := httptest.NewServer(health)
	defer server.Close()
	c, err := client.Remote(server.URL, "token")
	if err != nil {
		panic(err)
	}
	h, err := c.Health(context.Background())
	fmt.Println(h.Version, err)
	// Output:
	// http://rein.example is not encrypted, and others could read the token: use https
	// 1.2.3 <nil>
}
