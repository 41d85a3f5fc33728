package probe

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"rein/app/config"
	"rein/model/openai"
)

// A Local is a server of models on this machine.
type Local struct {
	Preset  string
	BaseURL string // empty: as the preset has it
	Models  []string
}

// localPatience is how long a server on this machine may take to answer; one that does not is not there.
const localPatience = 500 * time.Millisecond

// Locals finds the servers that listen where such servers usually do, by asking for their models. The variable OLLAMA_HOST
// says where Ollama is.
func Locals(ctx context.Context, ollamaHost string) []Local {
	var places []Local
	for _, server := range openai.Presets {
		if server.KeyEnv == "" {
			places = append(places, Local{Preset: server.Name})
		}
	}
	return locals(ctx, places, ollamaHost)
}

// Ollama returns the models of an Ollama on this machine, or where OLLAMA_HOST says.
func Ollama(ctx context.Context, host string) []string {
	found := locals(ctx, []Local{{Preset: "ollama"}}, host)
	if len(found) == 0 {
		return nil
	}
	return found[0].Models
}

func locals(ctx context.Context, places []Local, ollamaHost string) (found []Local) {
	ctx, cancel := context.WithTimeout(ctx, localPatience)
	defer cancel()
	there := make([]bool, len(places))
	var all sync.WaitGroup
	for i := range places {
		p := &places[i]
		if p.Preset == "ollama" {
			p.BaseURL = cmp.Or(OllamaURL(ollamaHost), p.BaseURL)
		}
		all.Go(func() {
			m := config.Model{Kind: config.KindOpenAI, Provider: config.Provider{Preset: p.Preset, BaseURL: p.BaseURL}}
			a := ask(ctx, m, "", "models")
			p.Models, there[i] = a.names, a.isList
		})
	}
	all.Wait()
	for i, p := range places {
		if there[i] {
			found = append(found, p)
		}
	}
	return found
}

// OllamaURL is the base URL that OLLAMA_HOST stands for, which Ollama's own programs read; empty: the usual one.
func OllamaURL(host string) string {
	if host = strings.TrimSpace(host); host == "" {
		return ""
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	name, port := u.Hostname(), cmp.Or(u.Port(), "11434")
	if ip := net.ParseIP(name); ip != nil && ip.IsUnspecified() { // where it listens: everywhere
		name = "127.0.0.1"
	}
	return u.Scheme + "://" + net.JoinHostPort(name, port) + strings.TrimRight(u.Path, "/") + "/v1"
}
