package tokens

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
)

func request(texts ...string) rein.ModelRequest {
	var r rein.ModelRequest
	for _, text := range texts {
		r.Messages = append(r.Messages, rein.Message{Role: rein.User, Text: text})
	}
	return r
}

func TestTheCounterSuitsTheModel(t *testing.T) {
	for model, want := range map[string]*counter{
		"gpt-4o": o200k, "gpt-4o-mini": o200k, "gpt-4.1": o200k, "gpt-5.6-sol": o200k, "gpt-6-luna": o200k, "o3-mini": o200k,
		"openai/gpt-oss-120b": o200k, "GPT-5": o200k, "ft:gpt-4o:acme": o200k, "chatgpt-4o-latest": o200k,
		"gpt-4": cl100, "gpt-4-0613": cl100, "gpt-3.5-turbo": cl100, "gpt-35-turbo": cl100, "text-embedding-3-small": cl100,
		"claude-opus-5": dense, "openrouter/anthropic/claude-haiku-4.5": dense,
		"qwen3": plain, "mistral-small": plain, "": plain, "/": plain,
	} {
		if counterFor(model) != want {
			t.Errorf("model %q has the wrong counter", model)
		}
	}
}

// Covers: SD-70
func TestEstimateCountsAllParts(t *testing.T) {
	ten := strings.Repeat("word ", 10)
	base := Estimate("gpt-5", rein.ModelRequest{})
	for name, r := range map[string]rein.ModelRequest{
		"text":   request(ten),
		"schema": {Prompt: rein.Prompt{Schema: json.RawMessage(ten)}},
		"calls":  {Prompt: rein.Prompt{Messages: []rein.Message{{Calls: []rein.ToolCall{{Name: "x", Args: json.RawMessage(ten)}}}}}},
		"raw":    {Prompt: rein.Prompt{Messages: []rein.Message{{Text: "not sent", Raw: &rein.Raw{Data: json.RawMessage(ten)}}}}},
		"tool":   {Offered: []rein.Tool{{Name: "x", Description: ten}}},
	} {
		if n := Estimate("gpt-5", r) - base; n < 10 || n > 30 {
			t.Errorf("%s: ten words are %d tokens more", name, n)
		}
	}
	picture := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Images: make([]rein.Image, 2)}}}}
	if n := Estimate("gpt-5", picture) - base; n < 2*perImage {
		t.Errorf("two images are %d tokens", n)
	}
	short := request(ten)
	short.MaxTokens = 7
	if long := Estimate("gpt-5", request(ten)); long-Estimate("gpt-5", short) != reply-7 {
		t.Error("the bound of the reply is not taken into account")
	}
}

// Counting in pieces and samples is close to counting the whole.
func TestEstimateIsCloseToTheRealCount(t *testing.T) {
	source, err := os.ReadFile("counter.go")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	var numbers strings.Builder
	for range 20_000 {
		fmt.Fprintf(&numbers, "{\"id\": %d, \"name\": \"n%x\"},\n", r.IntN(1e6), r.IntN(1e4))
	}
	for name, text := range map[string]string{
		"prose":   "The quick brown fox jumps over the lazy dog, and nobody knows why it does so every morning.",
		"code":    strings.Repeat(string(source), 3),
		"large":   strings.Repeat(string(source), 40),
		"numbers": numbers.String(),
		"chinese": strings.Repeat("漢字とかなの交じった文章を書く。", 300),
	} {
		for _, c := range []*counter{o200k, cl100} {
			want, ok := tokensOf(c.vocab(), text)
			if !ok {
				t.Fatal("the tokenizer fails")
			}
			got, _ := c.byVocabulary(text, &budget{until: time.Now().Add(time.Hour)})
			if off := float64(got)/float64(want) - 1; off < -0.06 || off > 0.06 {
				t.Errorf("%s: %d tokens, really %d", name, got, want)
			}
		}
	}
}

// hard has texts that a tokenizer may choke on, each of n bytes.
func hard(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)+1)[:n] }
	return map[string]string{
		"letters": fill("a"), "spaces": fill(" "), "lines": fill(" \n"), "tabs": fill("\t\r\n "), "words": fill("so it goes "),
		"invalid": fill("\xff\xfe"), "zeros": fill("\x00"), "chinese": fill("漢字"), "marks": fill("e\u0301\u0302"),
		"special": fill("<|endoftext|>"), "quotes": fill("'s't're"), "digits": fill("0123456789"), "emoji": fill("👨‍👩‍👧"),
	}
}

// A megabyte of anything is counted within 50 ms. The best of some tries is taken, as the machine may
// be busy with something else.
func TestEstimateIsQuick(t *testing.T) {
	Estimate("gpt-5", request("so that the vocabularies are there"))
	Estimate("gpt-4", request("so that the vocabularies are there"))
	for name, text := range hard(1 << 20) {
		for _, model := range []string{"gpt-5", "gpt-4", "claude-opus-5", "qwen3"} {
			best := time.Hour
			for try := 0; try < 5 && best > 50*time.Millisecond; try++ {
				began := time.Now()
				n := Estimate(model, request(text[try:])) // another text each time: no cache helps
				best = min(best, time.Since(began))
				if n < 1 || n > int64(len(text))*2 {
					t.Errorf("%s for %s: %d tokens", name, model, n)
				}
			}
			if best > 50*time.Millisecond {
				t.Errorf("%s for %s took %v", name, model, best)
			}
		}
	}
}

func TestATextIsCountedOnce(t *testing.T) {
	text := strings.Repeat("remember me ", 50)
	c := &counter{vocab: o200k.vocab, perToken: 4}
	b := &budget{until: time.Now().Add(time.Hour)}
	first := c.count(text, b)
	if again := c.count(text, &budget{}); again != first {
		t.Errorf("with no time left %d tokens, before %d", again, first)
	}
	for i := range 3 * maxSeen {
		c.count(text, b)
		c.seen.put(textKey{uint64(i), 1}, 1)
	}
	if n := len(c.seen.new) + len(c.seen.old); n > 2*maxSeen {
		t.Errorf("%d texts are remembered", n)
	}
	if again := c.count(text, &budget{}); again != first {
		t.Error("a text in use was forgotten")
	}
	if got := c.count("never seen before", &budget{}); got != c.byBytes(17) {
		t.Errorf("with no time left an unknown text has %d tokens", got)
	}
}

func TestEstimateFromManyGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for name, text := range hard(100 + i) {
				if Estimate("gpt-5", request(name, text)) < 1 || Estimate("gpt-4", request(name, text)) < 1 {
					t.Error("nothing was counted")
				}
			}
		})
	}
	all.Wait()
}

func FuzzEstimate(f *testing.F) {
	for _, text := range hard(300) {
		f.Add("gpt-5", text)
		f.Add("gpt-4", text+strings.Repeat(text, 9))
	}
	f.Fuzz(func(t *testing.T, model, text string) {
		n := Estimate(model, request(text, text))
		if n < reply || n > reply+2*perMessage+2*int64(len(text))+2 {
			t.Errorf("%d bytes are %d tokens", len(text), n)
		}
	})
}
