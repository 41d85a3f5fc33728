package engine

import "rein"

// askPerson carries out a call whose tool is a question: its result is what the person says, for as long
// as that takes. The model asked, so the question is bounded like one that a flow asks, and waiting for the
// answer uses no driven time. The text of the answer is marked as a person's: it is not data from outside,
// which the model must not obey.
func (s *toolStep) askPerson(o *order) (rein.ToolResult, error) {
	if s.rec.countAsks(rein.AskQuestion) == 0 {
		q, err := s.run.opts.Worker.Question(o.tool, o.args)
		if err == nil {
			err = checkQuestion(q)
		}
		if err != nil {
			return s.finishAs(s.endOf(o.tool, rein.ToolFailed, firstLine(err.Error()), nil), s.unused())
		}
		if err := s.openAsk("ask", s.questionOf(q)); err != nil {
			return s.cutTool(err, rein.Amount{})
		}
	}
	answer, err := s.awaitAnswer(s.rec.lastAsk(rein.AskQuestion))
	if err != nil {
		return s.cutTool(err, rein.Amount{})
	}
	switch answer.State {
	case rein.AskAnswered:
		result := normalResult(rein.ToolResult{Status: rein.ToolOK, Text: answer.Text, FromPerson: true, Evidence: rein.EvidenceNone})
		s.end(rein.StepEnd{Result: &result}, rein.Amount{})
		return result, nil
	case rein.AskExpired:
		return s.finishTool(rein.ToolTimeout, "no answer: nobody answered in time")
	}
	return s.finishTool(rein.ToolRefused, "the user does not want to answer"+because(answer.Text))
}
