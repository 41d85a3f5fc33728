package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"rein"
)

const (
	ollamaAddr = "http://127.0.0.1:11434"
	ollamaWait = 300 * time.Millisecond
)

// FindOllama returns the models of an Ollama that runs on this machine. One that does not answer at
// once is not there.
func FindOllama(ctx context.Context) ([]string, error) { return findOllama(ctx, ollamaAddr) }

func findOllama(ctx context.Context, addr string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, ollamaWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr+"/api/tags", nil)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInternal, "ask Ollama at %s: %w", addr, err)
	}
	// Not the shared client: its proxy has no business here, and no connection is kept.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return nil, rein.Errorf(rein.CodeNotFound, "no Ollama answers at %s: start it with `ollama serve`", addr)
	}
	defer res.Body.Close()
	var tags struct {
		Models []struct{ Name string }
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(&tags); err != nil || res.StatusCode != http.StatusOK {
		return nil, rein.Errorf(rein.CodeProvider, "what answers at %s is not Ollama (status %d)", addr, res.StatusCode)
	}
	names := make([]string, 0, len(tags.Models))
	for _, m := range tags.Models {
		names = append(names, m.Name)
	}
	return names, nil
}
