package rein

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// An Error has a code that programs can act on and a text that names the thing and what to do.
type Error struct {
	Code Code
	Msg  string
	Dim  string // of CodeBudget and CodeQuota: what ran out
	// How long to wait before the next try; of a model call also what is allowed then.
	RetryAfter time.Duration
	Pace       *Pace
	// Usage is what a model call that failed took, if that is known: zero if it reached no model.
	Usage *Usage
	// NoTools, of a model call, says that the model knows no tools: written into the text they may work.
	NoTools bool
	Err     error // the cause, if there is one
}

// Code sorts errors by what a caller can do about them.
type Code string

const (
	CodeInvalid         Code = "invalid"         // the request is wrong: fix it
	CodeNotFound        Code = "not_found"       // there is no such run, ask or session
	CodeConflict        Code = "conflict"        // the ID or key is taken by something else
	CodeFinished        Code = "finished"        // the run has ended
	CodeClosed          Code = "closed"          // the ask is already answered, expired or withdrawn
	CodeForbidden       Code = "forbidden"       // the sender may not do this
	CodeUnauthenticated Code = "unauthenticated" // the sender is unknown: send a valid credential
	CodeBusy            Code = "busy"            // the session has an active run
	CodeStale           Code = "stale"           // another process drives the run now
	CodeUnseen          Code = "unseen"          // a newer command must be read first
	CodeBudget          Code = "budget"          // the tree's budget is spent
	CodeLimit           Code = "limit"           // too many children, or too deep
	CodeQuota           Code = "quota"           // a limit of the user or household is reached: wait, or free some of it
	CodeStopped         Code = "stopped"         // by a person
	CodeCancelled       Code = "cancelled"       // by a person
	CodeDeleted         Code = "deleted"         // by a person
	CodePaused          Code = "paused"          // by a person: resume the run first
	CodeInterrupted     Code = "interrupted"     // by a modify: read the inbox
	CodeTimeout         Code = "timeout"         // a model call took too long
	CodeProvider        Code = "provider"        // a model call failed, and a retry would fail too
	CodeOverloaded      Code = "overloaded"      // a model call failed, and a retry may work: 5xx, 529, a lost connection
	CodeUnreachable     Code = "unreachable"     // the model's server cannot be reached; no request was sent
	CodeRateLimited     Code = "rate_limited"    // too many requests to the provider, or to this server: try later
	CodeTooLong         Code = "too_long"        // the prompt does not fit the model's window
	CodeUnauthorized    Code = "unauthorized"    // the provider does not accept the key
	CodeUnknown         Code = "unknown"         // a call may or may not have happened
	CodeDamaged         Code = "damaged"         // the store or a log is not what was written
	CodeNewer           Code = "newer"           // a newer version of rein wrote the store
	CodeLocked          Code = "locked"          // another process owns the store
	CodeReadOnly        Code = "read_only"       // the disk cannot be written
	CodeDiskFull        Code = "disk_full"       // the disk is full
	CodeUnavailable     Code = "unavailable"     // the store is closed or lost
	CodeInternal        Code = "internal"        // a bug in rein
)

// Interrupts reports whether a person ended or changed the run, so that nothing failed.
func (c Code) Interrupts() bool {
	switch c {
	case CodeStopped, CodeCancelled, CodeDeleted, CodeInterrupted:
		return true
	}
	return false
}

// Sentinels for errors.Is: any error with the same code matches.
var (
	ErrStopped   = &Error{Code: CodeStopped, Msg: "the run was stopped"}
	ErrCancelled = &Error{Code: CodeCancelled, Msg: "the run was cancelled"}
	ErrDeleted   = &Error{Code: CodeDeleted, Msg: "the run was deleted"}
	ErrBudget    = &Error{Code: CodeBudget, Msg: "the budget is spent"}
	// ErrOutcomeUnknown is for tools: they wrap it to say that a call may or may not have happened.
	ErrOutcomeUnknown = &Error{Code: CodeUnknown, Msg: "it is not known whether the call happened"}
	ErrInterrupted    = &Error{Code: CodeInterrupted, Msg: "the run was modified: read its Inbox"}
)

// Errorf makes an Error. Like fmt.Errorf it keeps a cause that is given with %w.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Msg: err.Error(), Err: errors.Unwrap(err)}
}

func (e *Error) Error() string { return e.Msg }

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether the target is an Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// CodeOf returns the code of an error, CodeInternal for one that has none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// A Failure is an error in a log.
type Failure struct {
	Code Code   `json:"code"`
	Msg  string `json:"msg"`
	Dim  string `json:"dim,omitempty"`
}

// FailureOf records an error; nil stays nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Code: CodeOf(err), Msg: Clip(strings.ToValidUTF8(err.Error(), "\uFFFD"), maxMsg)}
	if e, ok := errors.AsType[*Error](err); ok {
		f.Dim = e.Dim
	}
	return f
}

// maxMsg is the most of an error's text that a log keeps.
const maxMsg = 16 << 10

// Err returns the failure as an error again; nil stays nil.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	return &Error{Code: f.Code, Msg: f.Msg, Dim: f.Dim}
}
