package api

import (
	"errors"
	"net/http"

	"rein"
)

// A Problem is an error of the API, after RFC 9457. Programs act on the code; the detail says what is wrong
// with what, and the hint says what to do.
type Problem struct {
	Type   string    `json:"type"`
	Title  string    `json:"title"`
	Status int       `json:"status"`
	Detail string    `json:"detail"`
	Code   rein.Code `json:"code"`
	Hint   string    `json:"hint"`
	Dim    string    `json:"dim,omitempty"` // for the codes budget and quota: what ran out
}

// ProblemType is the media type of a Problem.
const ProblemType = "application/problem+json"

// A row says how HTTP reports a code.
type row struct {
	code   rein.Code
	status int
	title  string
	hint   string
}

// rows has every code once. The first row of a status is the code that stands for it when an answer
// has no code of its own.
var rows = []row{
	{rein.CodeInvalid, http.StatusBadRequest, "The request is not valid", "fix the request as the detail says"},
	{rein.CodeNotFound, http.StatusNotFound, "Not found", "check the ID; GET /v1/runs lists your runs and GET /v1/asks your asks"},
	{rein.CodeUnauthenticated, http.StatusUnauthorized, "The sender is unknown", "send a token as Authorization: Bearer TOKEN, or log in with a new login link"},
	{rein.CodeForbidden, http.StatusForbidden, "Not allowed", "the detail says what is not allowed, or who may do it"},
	{rein.CodeConflict, http.StatusConflict, "Conflict with something that exists", "the detail says with what; read it again, or choose another ID or key"},
	{rein.CodeFinished, http.StatusConflict, "The run has ended", "start a new run"},
	{rein.CodeClosed, http.StatusConflict, "The ask is closed", "the detail says who closed it; GET /v1/asks?state=pending lists the open ones"},
	{rein.CodeBusy, http.StatusConflict, "A run is active", "wait until it ends, or send it a message"},
	{rein.CodeStale, http.StatusConflict, "Another process drives the run", "send the request to the process that drives the run now"},
	{rein.CodeUnseen, http.StatusConflict, "A newer command comes first", "read the run again, then retry"},
	{rein.CodeStopped, http.StatusConflict, "The run is stopped", "start a new run"},
	{rein.CodeCancelled, http.StatusConflict, "The run is cancelled", "start a new run"},
	{rein.CodeDeleted, http.StatusConflict, "The run is deleted", "start a new run"},
	{rein.CodePaused, http.StatusConflict, "The run is paused", "resume the run"},
	{rein.CodeInterrupted, http.StatusConflict, "The run was modified", "read the run again, then retry"},
	{rein.CodeBudget, http.StatusPaymentRequired, "The budget is spent", "start a run with a larger budget"},
	{rein.CodeLimit, http.StatusUnprocessableEntity, "A limit is reached", "start a run with a larger budget"},
	{rein.CodeLocked, http.StatusLocked, "Another process owns the data folder", "send the request to the process that owns the data folder"},
	{rein.CodeInternal, http.StatusInternalServerError, "A bug in rein", "read the log of the process, and report the bug"},
	{rein.CodeDamaged, http.StatusInternalServerError, "The data is damaged", "run `rein audit verify`, then restore a backup"},
	{rein.CodeNewer, http.StatusInternalServerError, "A newer version of rein wrote the data", "use that version, or a newer one"},
	{rein.CodeUnknown, http.StatusInternalServerError, "The outcome is unknown", "check whether it happened before you send it again"},
	{rein.CodeProvider, http.StatusBadGateway, "The model call failed", "try again, or choose another model"},
	{rein.CodeOverloaded, http.StatusBadGateway, "The model is overloaded", "try again later, or choose another model"},
	{rein.CodeUnreachable, http.StatusBadGateway, "The model's server cannot be reached", "start it, or check its address and the network"},
	{rein.CodeRateLimited, http.StatusTooManyRequests, "Too many requests", "wait as long as the detail or the header Retry-After says; if the provider refuses, another model may work"},
	{rein.CodeQuota, http.StatusTooManyRequests, "A limit of the user or the household is reached", "the detail names the limit and what to do; GET /v1/limits shows what is used"},
	{rein.CodeTooLong, http.StatusBadRequest, "The prompt is too long for the model", "ask for less, or choose a model with a larger window"},
	{rein.CodeUnauthorized, http.StatusBadGateway, "The provider does not accept the key", "check the key of the model's account"},
	{rein.CodeUnavailable, http.StatusServiceUnavailable, "Not available", "the detail says why; if the process is starting or stopping, try again"},
	{rein.CodeReadOnly, http.StatusServiceUnavailable, "The data folder is read-only", "make the data folder, or the folder that the detail names, writable"},
	{rein.CodeTimeout, http.StatusGatewayTimeout, "It took too long", "try again"},
	{rein.CodeDiskFull, http.StatusInsufficientStorage, "The disk is full", "free some space on the disk, then try again"},
}

func rowOf(code rein.Code) row {
	for _, r := range rows {
		if r.code == code {
			return r
		}
	}
	return rowOf(rein.CodeInternal)
}

// Status returns the HTTP status of a code.
func Status(code rein.Code) int { return rowOf(code).status }

// CodeOf returns the code that a status stands for when nothing else is known.
func CodeOf(status int) rein.Code {
	for _, r := range rows {
		if r.status == status {
			return r.code
		}
	}
	switch {
	case status >= 400 && status < 500:
		return rein.CodeInvalid
	}
	return rein.CodeInternal
}

// ProblemOf tells an error. Of one without a code, which is a fault of this program, it tells no
// more than that: the text may hold what is not for the client.
func ProblemOf(err error) Problem {
	e, ok := errors.AsType[*rein.Error](err)
	if !ok {
		e = rein.Errorf(rein.CodeInternal, "something went wrong in rein; the request is not the cause")
	}
	r := rowOf(e.Code)
	p := Problem{Type: "urn:rein:problem:" + string(r.code), Title: r.title, Status: r.status, Detail: e.Msg, Code: r.code, Hint: r.hint, Dim: e.Dim}
	if ok {
		p.Detail = rein.Clip(err.Error(), maxDetail)
	}
	return p
}

// maxDetail is how many bytes a detail has at most: what it names may be as long as a request.
const maxDetail = 2000

// Err returns the problem as an error again.
func (p Problem) Err() error {
	code := p.Code
	if code == "" {
		code = CodeOf(p.Status)
	}
	msg := p.Detail
	if msg == "" {
		msg = p.Title
	}
	if msg == "" {
		msg = http.StatusText(p.Status)
	}
	return &rein.Error{Code: code, Msg: msg, Dim: p.Dim}
}
