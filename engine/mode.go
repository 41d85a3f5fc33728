package engine

import (
	"context"
	"fmt"

	"rein"
	"rein/engine/guard"
)

// mode is the mode that the next call is judged by: the one that the run started with or that people set since,
// unless a stricter one is the loosest that is allowed now.
func (d *drive) mode() rein.Mode {
	return d.givenMode().Or(rein.ModeAsk).Within(d.loosest())
}

// loosest is the loosest mode that is allowed to the run now.
func (d *drive) loosest() rein.Mode {
	if d.rights().Preset {
		return d.engine.loosest()
	}
	return rein.ModeAsk
}

// givenMode is the mode as the log has it.
func (d *drive) givenMode() rein.Mode {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mail.mode
}

// modes are those of this process: in which a new session starts, and the loosest that is allowed.
func (e *Engine) modes() (usual, loosest rein.Mode) {
	if e.opts.Modes == nil {
		return "", ""
	}
	usual, loosest = e.opts.Modes()
	return usual.Within(loosest), loosest
}

func (e *Engine) loosest() rein.Mode {
	_, loosest := e.modes()
	return loosest
}

// allowedMode returns a mode that was allowed once, or a stricter one that is allowed now. What tasks and logs have is
// empty for ask.
func (e *Engine) allowedMode(m rein.Mode) rein.Mode {
	if m = m.Within(e.loosest()); m == rein.ModeAsk {
		return ""
	}
	return m
}

// checkMode refuses a mode that does not exist or that is looser than allowed.
func (e *Engine) checkMode(m rein.Mode) error {
	if err := m.Check(); err != nil {
		return err
	}
	if loosest := e.loosest(); loosest != "" && m.IsLooser(loosest) {
		return rein.Errorf(rein.CodeInvalid, "mode %s is looser than the settings allow: the loosest is %s (approvals.loosest)", m, loosest)
	}
	return nil
}

// checkModeCommand says what is wrong with a command that changes the mode, if anything.
func (e *Engine) checkModeCommand(c rein.Command) error {
	if c.Mode == "" {
		return rein.Errorf(rein.CodeInvalid, "a mode command needs a mode: plan, ask, edits or sandbox")
	}
	return e.checkMode(c.Mode)
}

// startMode is the mode in which a root starts: the one that the caller asks for, or that of its session, or the
// default. A branch starts in that of the session that it leaves. A fork goes the way of the run that it leaves, as far as that is allowed now.
func (e *Engine) startMode(ctx context.Context, task rein.Task) (rein.Mode, error) {
	if task.Mode != "" && task.Fork == nil {
		if err := e.checkMode(task.Mode); err != nil {
			return "", err
		}
	}
	if task.Mode != "" || task.Fork != nil {
		return e.allowedMode(task.Mode), nil
	}
	usual, _ := e.modes()
	session := task.Session
	if task.Branch != nil {
		session = task.Branch.Session
	}
	if session == "" {
		return e.allowedMode(usual), nil
	}
	mode, found, err := e.opts.Store.SessionMode(ctx, session)
	if err != nil {
		return "", err
	}
	if !found {
		mode = usual
	}
	return e.allowedMode(mode), nil
}

// permitMode is the mode that decides whether a tool may be named. A call that a person was asked about is theirs to
// decide, whatever the mode is by now.
func (s *toolStep) permitMode() rein.Mode {
	if s.rec.countAsks(rein.AskApproval) > 0 {
		return rein.ModeAsk
	}
	return s.run.mode()
}

// overtaken says why an order is not sent though it was allowed: the mode is stricter by now. What a person agreed to
// is sent in any mode.
func (s *toolStep) overtaken(o *order) string {
	if o.allowed == guard.ByAsk || o.mode == s.run.mode() {
		return ""
	}
	d, err := s.decide(o)
	switch {
	case err != nil:
		return "the call was not run: " + firstLine(err.Error())
	case d.Verdict == rein.Allowed:
		o.allowed, o.mode = d.By, d.mode
		return ""
	case d.Why != "":
		return "the call was not run: " + d.Why
	}
	return fmt.Sprintf("the call was not run: the mode changed to %s, in which a person must agree to it; call it again if it is still needed", d.mode)
}
