package probe

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"rein"
	"rein/app/config"
)

var errNoHost = errors.New("there is no host in it")

// leastReply is the shortest reply that every API can be asked for, in tokens.
const leastReply = 16

// word asks for the smallest possible reply, and says what is wrong if there is none.
func word(ctx context.Context, m config.Model, key string, a answer, made rein.Model) *Trouble {
	ctx, cancel := context.WithTimeout(ctx, wordPatience)
	defer cancel()
	_, err := made.Generate(ctx, rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Hi"}}, MaxTokens: leastReply}}, nil)
	switch rein.CodeOf(err) {
	case "", rein.CodeRateLimited, rein.CodeTooLong: // who says so knows the key and the model
		return nil
	case rein.CodeUnauthorized:
		return refused(m, key, a.host)
	case rein.CodeTimeout:
		return trouble("try again later, or ask a model that answers sooner", "%s did not reply within %s", a.host, wordPatience)
	}
	if a.status == http.StatusNotFound && rein.CodeOf(err) == rein.CodeProvider {
		return trouble("correct base_url: most end in /v1", "neither models nor replies are at %s", strings.TrimSuffix(a.url, "/models"))
	}
	return Explain(err)
}

// Explain makes a Trouble of an error of a model, whose advice comes last.
func Explain(err error) *Trouble {
	text := err.Error()
	if i := strings.LastIndex(text, "; "); i >= 0 {
		return &Trouble{Why: text[:i], Do: text[i+2:]}
	}
	return &Trouble{Why: text, Do: "look at model and base_url, or try again later"}
}

// refused says that a key is not accepted.
func refused(m config.Model, key, host string) *Trouble {
	switch {
	case key == "":
		return trouble("name the variable that has it with key_env", "%s wants a key, and there is none", host)
	case m.KeyEnv == "": // somebody has just typed it
		return trouble("look at it again; a key belongs to one provider, and can be revoked", "%s refuses the key", host)
	}
	return trouble("look at "+config.SpelledKey(m.KeyEnv)+"; a key belongs to one provider, and can be revoked", "%s refuses the key", host)
}

// unreached says why nobody answered.
func unreached(m config.Model, host string, err error) *Trouble {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address, which may hold more than the host
	}
	do := "look at the network and at base_url"
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return trouble("try again", "it was not asked to the end")
	case errors.Is(err, syscall.ECONNREFUSED):
		return trouble(howToStart(m), "nothing listens at %s", host)
	case errors.As(err, &dns):
		return trouble(do, "there is no host %s", dns.Name)
	case errors.As(err, &unknown):
		return trouble("name the authority's file in $SSL_CERT_FILE", "the certificate of %s is not one that this machine trusts", host)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return trouble(do, "%s does not answer within %s", host, listPatience)
	}
	return trouble(do, "%s cannot be reached: %v", host, err)
}

// starts is how the servers are started that people run themselves.
var starts = map[string]string{
	"ollama": "`ollama serve`", "vllm": "`vllm serve MODEL`", "llamacpp": "`llama-server -m FILE.gguf`", "lmstudio": "`lms server start`",
}

func howToStart(m config.Model) string {
	if command := starts[m.Preset]; command != "" {
		return "start it with " + command + ", or correct base_url"
	}
	return "start the server, or correct base_url"
}
