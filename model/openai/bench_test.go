package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A streamed reply of 64 tokens, without a network.
func BenchmarkStream(b *testing.B) {
	var body strings.Builder
	for i := range 64 {
		fmt.Fprintf(&body, "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"tok%d \"},\"finish_reason\":null}]}\n\n", i)
	}
	body.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	e := &exchange{API: chatAPI, Status: 200, Stream: true, Response: body.String()}
	m, err := New(Options{Model: "m", HTTP: &http.Client{Transport: smallReads{e, 4096}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Generate(b.Context(), talk(), func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}
