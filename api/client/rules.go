package client

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
)

// Rules returns the rules that approvals made, the oldest first: your own, or those of the household if you are an admin.
func (c *Client) Rules(ctx context.Context, q api.RuleQuery) (rules []rein.Rule, err error) {
	for after := ""; ; {
		query := values{}
		query.set("user", q.User)
		query.set("workspace", q.Workspace)
		query.set("after", after)
		if q.Revoked {
			query.set("revoked", "true")
		}
		var list api.Rules
		err := c.do(ctx, http.MethodGet, "/v1/rules", query, nil, &list)
		rules = append(rules, list.Rules...)
		if err != nil || list.Next == "" {
			return rules, err
		}
		after = list.Next
	}
}

// RevokeRule revokes a rule, together with those that allow the same in the same place.
func (c *Client) RevokeRule(ctx context.Context, id string) (revoked rein.Rule, err error) {
	return revoked, c.do(ctx, http.MethodDelete, "/v1/rules/"+url.PathEscape(id), nil, nil, &revoked)
}
