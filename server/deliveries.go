package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

// A Notifier tells people by webhook what waits for them.
type Notifier interface {
	Status(ctx context.Context, household string) (rein.Deliveries, error)
	Retry(ctx context.Context, target string) error
}

// withNotifier is do for a server that has webhooks.
func (s *server) withNotifier(do handler) handler {
	return func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
		if s.Notifier == nil {
			return rein.Errorf(rein.CodeUnavailable, "there are no webhooks: add one to the settings with [webhooks.NAME]")
		}
		return do(w, r, who)
	}
}

func (s *server) listDeliveries(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	status, err := s.Notifier.Status(r.Context(), who.Household)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Deliveries{
		Targets: append([]rein.WebhookStatus{}, status.Targets...), Deliveries: append([]rein.Delivery{}, status.Deliveries...),
	})
}

// retryWebhook has what was given up tried again. A webhook may be told of several households, so only
// who owns the data may do it.
func (s *server) retryWebhook(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if who.Household != rein.Host().Household {
		return rein.Errorf(rein.CodeForbidden, "only admins of household %q manage webhooks", rein.Host().Household)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Notifier.Retry(ctx, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) deliveryOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/deliveries", name: "listDeliveries", tag: "records", summary: "List the deliveries to webhooks, newest first, with those that still wait",
			needs: rein.ScopeAdmin, answers: ok(api.Deliveries{}), do: s.withNotifier(s.listDeliveries),
		},
		{
			method: "POST", path: "/v1/webhooks/{name}/retry", name: "retryWebhook", tag: "records", summary: "Enable a webhook again, and retry the deliveries that were given up",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusNoContent}}, do: s.withNotifier(s.retryWebhook),
		},
	}
}
