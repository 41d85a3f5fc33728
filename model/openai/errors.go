package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"rein"
)

// A sign is how servers say one thing: by a code or type, or in words.
type sign struct {
	as    rein.Code
	codes []string
	words []string // of the message, in small letters
	hint  string
}

// signs are looked through in order; the first that fits decides. What none fits is sorted by its
// status.
var signs = []sign{
	{
		as:    rein.CodeProvider,
		codes: []string{"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance", "402"},
		words: []string{"insufficient balance", "insufficient credits", "exceeded your current quota, please check your plan", "no credits"},
		hint:  "the account has nothing left to spend: look at its plan and billing",
	},
	{
		as:    rein.CodeTooLong,
		codes: []string{"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "request_too_large", "tokens_limit_reached", "too_many_prompt_tokens"},
		words: []string{
			"context length", "context window", "maximum context", "context size", "prompt is too long", "input is too long",
			"too many tokens", "reduce the length", "request too large", "prompt too long", "input token count exceeds", "exceeds the maximum number of tokens",
			"maximum prompt length", "max_prompt_tokens",
		},
		hint: "the prompt must be shorter",
	},
	{
		as:    rein.CodeProvider,
		codes: []string{"model_not_found", "model_not_available", "unknown_model", "deploymentnotfound"},
		words: []string{"model not found", "does not exist or you do not have access", "no such model", "is not a valid model", "model does not exist", "not found, try pulling it"},
		hint:  modelHint,
	},
	{
		as:    rein.CodeProvider,
		codes: []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation"},
		hint:  "the provider's filter does not let this prompt through: change it",
	},
	{
		as: rein.CodeUnauthorized, codes: []string{"invalid_api_key", "api_key_invalid", "authentication_error", "permission_denied"},
		words: []string{"api key not valid", "invalid api key", "incorrect api key"}, hint: keyHint, // some say it with 400
	},
	{as: rein.CodeProvider, words: noTools, hint: "the model knows no tools"},
	{as: rein.CodeRateLimited, codes: []string{"rate_limit_exceeded", "rate_limit_error", "too_many_requests", "ratelimitreached", "429", "resource_exhausted"}},
	{as: rein.CodeOverloaded, codes: []string{"server_error", "internal_error", "internal_server_error", "overloaded_error", "engine_overloaded", "service_unavailable", "timeout", "vector_store_timeout"}},
	{as: rein.CodeProvider, codes: []string{notJSON}, hint: "check that the base URL is that of an OpenAI-compatible API; most end in /v1"},
	{as: rein.CodeProvider, codes: []string{"tool_use_failed"}, hint: "the model wrote a tool call that its server does not accept; try again or take another model"},
	{as: rein.CodeInvalid, codes: []string{"invalid_request_error", "invalid_prompt", "400"}},
}

// noTools is how servers say that a model, or they themselves, know no tools.
var noTools = []string{
	"does not support tools", "not support tool", "tool use is not supported", "not support function call", "tools are not supported",
	"--enable-auto-tool-choice", "tools param requires --jinja",
}

// knowsNoTools reports whether the server says that the model knows no tools.
func (f *fault) knowsNoTools() bool {
	text := strings.ToLower(f.Message)
	return slices.ContainsFunc(noTools, func(w string) bool { return strings.Contains(text, w) })
}

const (
	keyHint   = "\x00key" // filled in by hintFor
	modelHint = "\x00model"
)

func (s sign) fits(f *fault) bool {
	if slices.Contains(s.codes, strings.ToLower(f.Code)) {
		return true
	}
	text := strings.ToLower(f.Message)
	if slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(text, w) }) {
		return true
	}
	// A type is the roughest of the three: it counts where there is nothing else.
	return (f.Code == "" || f.Code == "400") && slices.Contains(s.codes, strings.ToLower(f.Type))
}

// byStatus sorts what no sign tells. An error inside a good answer has no status: it may work later.
func byStatus(status int) (rein.Code, string) {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return rein.CodeUnauthorized, keyHint
	case status == http.StatusNotFound:
		return rein.CodeProvider, modelHint
	case status == http.StatusTooManyRequests:
		return rein.CodeRateLimited, ""
	case status == http.StatusRequestEntityTooLarge:
		return rein.CodeTooLong, "the prompt must be shorter"
	case status == http.StatusPaymentRequired:
		return rein.CodeProvider, "the account has nothing left to spend: look at its plan and billing"
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status < 300, status >= 500 && status != http.StatusNotImplemented:
		return rein.CodeOverloaded, ""
	case status >= 400 && status != http.StatusNotImplemented:
		return rein.CodeInvalid, ""
	}
	return rein.CodeProvider, "check that the base URL is that of an OpenAI-compatible API; most end in /v1"
}

// sort finds the code of a fault and what can be done.
func (f *fault) sort() (rein.Code, string) {
	// These statuses say more than any words of theirs.
	switch f.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return rein.CodeUnauthorized, keyHint
	}
	for _, s := range signs {
		if !s.fits(f) {
			continue
		}
		if code, _ := byStatus(f.Status); f.Status >= 400 && s.as == rein.CodeInvalid {
			return code, "" // "invalid request" is said of many things; the status knows better
		}
		return s.as, s.hint
	}
	return byStatus(f.Status)
}

// refused makes the error of what a server said.
func (m *Model) refused(f *fault, h http.Header, pace *rein.Pace) *rein.Error {
	code, hint := f.sort()
	text := fmt.Sprintf("model %q at %s", m.opt.Model, m.host)
	if f.Status >= 300 {
		text += fmt.Sprintf(" answered %d", f.Status)
	} else {
		text += " failed"
	}
	if f.Message != "" {
		text += ": " + strings.TrimRight(f.Message, ". ")
	}
	if hint = m.hintFor(hint); hint != "" {
		text += "; " + hint
	}
	e := &rein.Error{Code: code, Msg: m.withoutKey(text), Pace: pace, NoTools: f.knowsNoTools()}
	if code == rein.CodeRateLimited || code == rein.CodeOverloaded {
		e.RetryAfter = retryAfter(h, f.Message, pace, time.Now())
	}
	return e
}

func (m *Model) hintFor(hint string) string {
	switch hint {
	case keyHint:
		if m.opt.Key == "" {
			return "no key was given: set one for this model"
		}
		return "check the key, and that its account may use this model"
	case modelHint:
		if strings.HasSuffix(m.host, ":11434") {
			return fmt.Sprintf("check the name with `ollama list`, or get the model with `ollama pull %s`", m.opt.Model)
		}
		return fmt.Sprintf("check the model's name (%s/models lists them), the base URL, and that the account may use the model", m.endpoint)
	}
	return hint
}

// lost makes the error of an exchange that broke off.
func (m *Model) lost(ctx context.Context, err error) error {
	where := fmt.Sprintf("model %q at %s", m.opt.Model, m.host)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return rein.Errorf(rein.CodeTimeout, "%s took too long", where)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		err = io.ErrUnexpectedEOF
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address, which may hold more than the host
	}
	reason := "the connection was lost: " + err.Error()
	if n, ok := errors.AsType[net.Error](err); ok && n.Timeout() {
		reason = "the server does not answer: " + err.Error()
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errNoEnd):
		reason = "the connection was lost before the reply was complete"
	case errors.Is(err, syscall.ECONNREFUSED):
		reason = "nothing listens there: start the server, or check the base URL"
	}
	lost := rein.Errorf(rein.CodeOverloaded, "%s: %s", where, m.withoutKey(reason))
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		lost.Code = rein.CodeUnreachable
		return unreached(lost)
	}
	return lost
}

// unreached says that no model saw the request, so that nothing is to be paid for.
func unreached(e *rein.Error) *rein.Error {
	e.Usage = &rein.Usage{}
	return e
}

// withoutKey takes the key out of a text: some servers repeat it.
func (m *Model) withoutKey(text string) string {
	if len(m.opt.Key) < 4 {
		return text
	}
	return strings.ReplaceAll(text, m.opt.Key, "[key]")
}
