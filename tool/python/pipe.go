package python

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"rein"
	"rein/sandbox"
	"rein/tool/tree"
)

// A conn is an interpreter and the two pipes on which it talks to rein. In it they are descriptors 3 and 4.
type conn struct {
	process *sandbox.Process
	to      *os.File
	from    *os.File
	nonce   string
	seat    *seat
}

// start starts the interpreter in the sandbox, where it finds its pipes and nothing else of rein.
func (p *Python) start(ctx context.Context, path, scratch string, logs *logs) (c *conn, err error) {
	theirIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	from, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, to.Close())
	}
	defer theirOut.Close()
	c = &conn{to: to, from: from, nonce: rand.Text()}
	c.process, err = sandbox.Start(ctx, p.Report(), sandbox.Policy{Workspace: scratch, Limits: limits}, sandbox.Command{
		Argv: []string{path, "-s", "-B", "-u", "-c", bridge}, Dir: scratch, Stdout: logs, Stderr: logs, Files: []*os.File{theirIn, theirOut},
		// The order of a set is the same each time: the code may be run again.
		Env: []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8:backslashreplace", "HOME=" + scratch},
	})
	if err != nil {
		return nil, errors.Join(err, to.Close(), from.Close())
	}
	return c, nil
}

// close waits for the end of the interpreter.
func (c *conn) close() (sandbox.Result, error) {
	_ = errors.Join(c.to.Close(), c.from.Close()) // it has nothing more to say
	return c.process.Wait()
}

// A frame is what rein and the bridge say to each other.
type frame struct {
	Nonce string `json:"nonce"`

	// From rein: the code, and the answers.
	Code    string `json:"code,omitempty"` // the program, or why a call failed
	Most    int    `json:"most,omitempty"`
	Handle  int    `json:"handle,omitempty"` // also of a wait
	End     string `json:"end,omitempty"`
	Text    string `json:"text,omitempty"`
	Failure string `json:"error,omitempty"`

	// From the bridge.
	Call   string          `json:"call,omitempty"`
	Prompt string          `json:"prompt,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
	Repr   string          `json:"repr,omitempty"`
	Note   string          `json:"note,omitempty"`
	Error  string          `json:"-"` // a traceback: it is Failure there
}

// maxFrame is how long a frame from the bridge can be.
const maxFrame = 2 << 20

var (
	errGone   = errors.New("the interpreter is gone")
	errForged = errors.New("the code wrote something else to the pipe of fork and wait than calls: it was ended")
)

func (c *conn) send(f frame) error {
	f.Nonce = c.nonce
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	if _, err := c.to.Write(append(out, data...)); err != nil {
		return errGone
	}
	return nil
}

// receive reads the next frame. Whoever writes frames has the nonce, or is not the bridge.
func (c *conn) receive() (*frame, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.from, head[:]); err != nil {
		return nil, errGone
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > maxFrame {
		return nil, errForged
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(c.from, data); err != nil {
		return nil, errGone
	}
	f := &frame{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil || f.Nonce != c.nonce || !slices.Contains([]string{"fork", "wait", "done"}, f.Call) {
		return nil, errForged
	}
	f.Error, f.Failure = f.Failure, ""
	return f, nil
}

// serve gives the bridge the code, and answers its calls until it is done. It returns the last frame.
func (c *conn) serve(ctx context.Context, runs rein.Tree, code string) (*frame, error) {
	if err := c.send(frame{Code: code, Most: most}); err != nil {
		return nil, err
	}
	for {
		f, err := c.receive()
		if err != nil {
			return nil, err
		}
		if f.Call == "done" {
			return f, nil
		}
		answer := c.answer(ctx, runs, f)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := c.send(answer); err != nil {
			return nil, err
		}
	}
}

// answer does what the code asks for.
func (c *conn) answer(ctx context.Context, runs rein.Tree, f *frame) (answer frame) {
	var err error
	switch {
	case runs == nil:
		err = rein.Errorf(rein.CodeUnavailable, "this call has no tree of runs")
	case f.Call == "fork":
		var forked rein.Forked
		forked, err = runs.Fork(ctx, f.Prompt)
		answer.Handle = forked.Handle
	default:
		answer.End, answer.Text, err = c.wait(ctx, runs, f.Handle)
	}
	if err != nil {
		return frame{Code: string(rein.CodeOf(err)), Failure: err.Error()}
	}
	return answer
}

// wait waits for a fork. Meanwhile another interpreter can work: it may be that of the fork.
func (c *conn) wait(ctx context.Context, runs rein.Tree, handle int) (end, text string, err error) {
	c.seat.leave()
	out, err := runs.Wait(ctx, handle)
	if back := c.seat.take(ctx); err != nil || back != nil {
		err = cmp.Or(err, back)
		return "", "", err
	}
	return string(out.End), tree.Words(out), nil
}
