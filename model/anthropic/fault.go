package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"rein"
)

// fault says in our words what went wrong. What came is not kept as a cause: servers repeat the key.
func (m *Model) fault(ctx context.Context, err error, s *seen) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		if errors.Is(ctxErr, context.DeadlineExceeded) {
			return rein.Errorf(rein.CodeTimeout, "model %q did not answer in time: %w", m.opts.Name, ctxErr)
		}
		return ctxErr
	}
	f := m.sort(err, s)
	if s.status >= 300 || isDial(err) {
		f.Usage = &rein.Usage{} // no model saw the request
	}
	f.RetryAfter = retryAfter(s.header, time.Now())
	f.Pace = paceOf(s.header, time.Now())
	return f
}

func (m *Model) sort(err error, s *seen) *rein.Error {
	var netErr interface{ Timeout() bool }
	no, isRefusal := errors.AsType[*refusal](err)
	switch {
	case isRefusal:
		kind, text := said(no.body)
		return m.refused(no.status, kind, text)
	case errors.Is(err, errTooBig):
		return m.errorf(rein.CodeProvider, "%v; check the base URL", errTooBig)
	case s.status == http.StatusOK && (errors.Is(err, errNoMessage) || !s.readable()):
		return m.errorf(rein.CodeProvider, "%v; check the base URL", errNoMessage)
	case s.status == http.StatusOK:
		return m.errorf(rein.CodeOverloaded, "%v; try again", errCut)
	case errors.As(err, &netErr) && netErr.Timeout() && !isDial(err):
		return m.errorf(rein.CodeTimeout, "the server did not answer in time; try again")
	case s.status == 0:
		code := rein.CodeOverloaded
		if isDial(err) {
			code = rein.CodeUnreachable
		}
		return m.errorf(code, "the server cannot be reached (%s); check the network and the base URL, or try again", root(err))
	}
	return m.refused(s.status, "", "")
}

// isDial reports whether the server was not even reached: then nothing was paid for.
func isDial(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// kinds are the API's types of errors, by code; the status decides where the type does not.
var kinds = map[string]rein.Code{
	"overloaded_error":      rein.CodeOverloaded,
	"api_error":             rein.CodeOverloaded,
	"timeout_error":         rein.CodeOverloaded,
	"rate_limit_error":      rein.CodeRateLimited,
	"authentication_error":  rein.CodeUnauthorized,
	"permission_error":      rein.CodeUnauthorized,
	"billing_error":         rein.CodeProvider,
	"not_found_error":       rein.CodeProvider,
	"request_too_large":     rein.CodeTooLong,
	"invalid_request_error": rein.CodeInvalid,
}

// refused sorts what the server said: by its status, and by its type if it has none.
func (m *Model) refused(status int, kind, text string) *rein.Error {
	code := codeOf(status)
	if code == "" {
		code = cmp.Or(kinds[kind], rein.CodeOverloaded) // within a stream: the request itself was taken
	}
	if code == rein.CodeInvalid {
		code = invalid(text)
	}
	if text == "" {
		text = cmp.Or(kind, strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))))
	}
	hint := hints[code]
	if kind == "not_found_error" || status == http.StatusNotFound {
		hint = "check the name of the model (" + m.opts.Model + ") and the base URL"
	}
	return m.errorf(code, "%s; %s", text, hint)
}

func codeOf(status int) rein.Code {
	switch {
	case status == http.StatusTooManyRequests:
		return rein.CodeRateLimited
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return rein.CodeUnauthorized
	case status == http.StatusRequestEntityTooLarge:
		return rein.CodeTooLong
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status >= 500:
		return rein.CodeOverloaded
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return rein.CodeInvalid
	case status == 0:
		return ""
	}
	return rein.CodeProvider
}

// invalid looks closer at a request that was refused: the API has no types for these.
func invalid(text string) rein.Code {
	text = strings.ToLower(text)
	for _, words := range []string{"prompt is too long", "exceed context limit", "exceeds the maximum number of tokens", "context window"} {
		if strings.Contains(text, words) {
			return rein.CodeTooLong
		}
	}
	if strings.Contains(text, "credit balance") {
		return rein.CodeProvider
	}
	return rein.CodeInvalid
}

var hints = map[rein.Code]string{
	rein.CodeOverloaded:   "try again later",
	rein.CodeRateLimited:  "wait, or ask for a higher limit",
	rein.CodeUnauthorized: "check the key and what it may use",
	rein.CodeTooLong:      "shorten the conversation",
	rein.CodeInvalid:      "the server does not take this request",
	rein.CodeProvider:     "trying again will not help",
}

// said reads the error out of a body: its type and what people are told.
func said(body []byte) (kind, text string) {
	var e struct {
		Error json.RawMessage
	}
	if json.Unmarshal(body, &e) != nil {
		return "", "" // a page of a proxy: the status says it
	}
	var inner struct{ Type, Message string }
	if json.Unmarshal(e.Error, &inner) != nil {
		_ = json.Unmarshal(e.Error, &inner.Message)
	}
	return inner.Type, inner.Message
}

// errorf makes an error without the key, whatever a server echoes.
func (m *Model) errorf(code rein.Code, format string, args ...any) *rein.Error {
	e := rein.Errorf(code, "model %q: "+format, append([]any{m.opts.Name}, args...)...)
	e.Err = nil
	if m.opts.Key != "" {
		e.Msg = strings.ReplaceAll(e.Msg, m.opts.Key, "(key)")
	}
	e.Msg = rein.Clip(e.Msg, maxFault)
	return e
}

// maxFault is the most that is kept of what a server says went wrong.
const maxFault = 2000

// root returns what is at the bottom of an error: the layers above it repeat the URL.
func root(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}
