package deliver

import (
	"context"

	"rein"
	"rein/household/channels"
	"rein/internal/speech"
)

// Answers takes answers to asks from channels where people can say something. All of it is needed.
type Answers struct {
	Book channels.Book
	// Who returns who a user is now, identified by a channel: people.People.Reached.
	Who func(ctx context.Context, household, user, channel string) (rein.Identity, error)
	// Do sends the answer as the API does, with the same checks: port.AnswerAsk.
	Do func(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error)
}

// Identity returns who says something in a channel. One that does not work, or whose user is gone, is nobody's.
func (a Answers) Identity(ctx context.Context, channel string) (rein.Identity, error) {
	c, err := a.Book.ByID(ctx, channel)
	if err != nil {
		return rein.Identity{}, err
	}
	if !c.Works() {
		return rein.Identity{}, rein.Errorf(rein.CodeNotFound, "channel %s does not belong to anyone now", channel)
	}
	return a.Who(ctx, c.Household, c.User, c.ID)
}

// Answer answers an ask in the name of whoever has the channel. answer.Shown is the Shown of the Question that they read. It
// holds only if the ask is for them and still shows the same. The error says why it does not; Outcome makes both a sentence
// for them.
func (a Answers) Answer(ctx context.Context, channel string, ask rein.AskID, answer rein.Answer) (rein.Receipt, error) {
	who, err := a.Identity(ctx, channel)
	if err != nil {
		return rein.Receipt{}, err
	}
	if answer.Scope.Lasts() {
		return rein.Receipt{}, rein.Errorf(rein.CodeForbidden, "an answer from a channel allows one call: to allow more, answer in rein")
	}
	return a.Do(ctx, who, ask, answer)
}

var outcomes = speech.Words{
	"en": {
		string(rein.AskApproved): "Thank you, I will do it.",
		string(rein.AskRejected): "All right, I will not do it.",
		string(rein.AskAnswered): "Thank you, I have passed on your answer.",
		string(rein.AskDeclined): "All right, I continue without an answer.",
		"closed":                 "This question was answered or withdrawn before. Nothing has changed.",
		"changed":                "The question has changed since you read it. Please look at it again.",
		"unknown":                "I know of no such question for you.",
		"failed":                 "That did not work: %s",
	},
	"nl": {
		string(rein.AskApproved): "Dank je, ik doe het.",
		string(rein.AskRejected): "Goed, ik doe het niet.",
		string(rein.AskAnswered): "Dank je, ik heb je antwoord doorgegeven.",
		string(rein.AskDeclined): "Goed, ik ga verder zonder antwoord.",
		"closed":                 "Deze vraag is al beantwoord of ingetrokken. Er is niets veranderd.",
		"changed":                "De vraag is veranderd sinds je haar las. Kijk er alsjeblieft opnieuw naar.",
		"unknown":                "Ik ken geen vraag met die naam voor jou.",
		"failed":                 "Dat is niet gelukt: %s",
	},
}

// Outcome says in the language of a reader what became of their answer.
func Outcome(language string, answer rein.Answer, err error) string {
	switch rein.CodeOf(err) {
	case "":
		return outcomes.Say(language, string(answer.State))
	case rein.CodeClosed, rein.CodeFinished, rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted:
		return outcomes.Say(language, "closed")
	case rein.CodeConflict:
		return outcomes.Say(language, "changed")
	case rein.CodeNotFound, rein.CodeForbidden:
		return outcomes.Say(language, "unknown") // what is another's does not exist
	}
	return outcomes.Say(language, "failed", err)
}
