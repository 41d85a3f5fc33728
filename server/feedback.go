package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/household/feedback"
	"rein/server/port"
	"rein/server/wire"
)

func (s *server) feedbackOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/runs/{id}/feedback", name: "showFeedback", tag: "runs", summary: "Get what people think of a run",
			needs: rein.ScopeRead, answers: ok(api.FeedbackList{}), do: s.withFeedback(s.showFeedback),
		},
		{
			method: "PUT", path: "/v1/runs/{id}/feedback", name: "giveFeedback", tag: "runs", summary: "Say what you think of a run: up or down, with a comment. It replaces what you said before",
			needs: rein.ScopeAct, body: api.NewFeedback{}, answers: ok(api.FeedbackList{}), do: s.withFeedback(s.giveFeedback),
		},
	}
}

func (s *server) withFeedback(do handler) handler {
	if s.Feedback != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process does not keep feedback: send the request to the process that owns the data")
	}
}

func (s *server) showFeedback(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	given, err := s.feedbackOn(r.Context(), info)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.FeedbackList{Feedback: given})
}

func (s *server) giveFeedback(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewFeedback
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	info, err := port.Changeable(ctx, s.Store, rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	if info.Erased {
		return rein.Errorf(rein.CodeConflict, "run %s was erased: nobody can see what it said", info.ID)
	}
	given := feedback.Feedback{Household: info.Household, Run: info.ID, User: who.User, Rating: body.Rating, Comment: body.Comment}
	if err := s.Feedback.Give(ctx, given); err != nil {
		return err
	}
	s.Live.Run(info)
	all, err := s.feedbackOn(ctx, info)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.FeedbackList{Feedback: all})
}

func (s *server) feedbackOn(ctx context.Context, info rein.RunInfo) ([]api.Feedback, error) {
	if s.Feedback == nil {
		return []api.Feedback{}, nil
	}
	given, err := s.Feedback.Of(ctx, info.Household, info.ID)
	return each(given, apiFeedback), err
}

func apiFeedback(f feedback.Feedback) api.Feedback {
	return api.Feedback{User: f.User, Rating: api.Rating(f.Rating), Comment: f.Comment, At: f.Changed}
}
