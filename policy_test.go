package rein_test

import (
	"testing"

	"rein"
)

// A rule that makes things stricter for a tool means the tools that are like it; one that makes them
// looser does not.
func TestPolicyMeansToolsAlike(t *testing.T) {
	grep := rein.Tool{Name: "grep", Like: "read_file"}
	asking := rein.Tool{Name: "grep", Like: "read_file", Approval: true}
	for _, c := range []struct {
		policy rein.Policy
		tool   rein.Tool
		want   rein.Verdict
	}{
		{rein.Policy{}, grep, rein.Allowed},
		{rein.Policy{Ask: []string{"read_file"}}, grep, rein.MustAsk},
		{rein.Policy{Deny: []string{"read_file"}}, grep, rein.Denied},
		{rein.Policy{Deny: []string{"grep"}}, grep, rein.Denied},
		{rein.Policy{Deny: []string{"glob"}}, grep, rein.Allowed},
		{rein.Policy{Deny: []string{""}}, rein.Tool{Name: "x"}, rein.Allowed},
		{rein.Policy{Allow: []string{"read_file"}}, asking, rein.MustAsk},
		{rein.Policy{Allow: []string{"grep"}}, asking, rein.Allowed},
		{rein.Policy{Allow: []string{"grep"}, Ask: []string{"read_file"}}, asking, rein.MustAsk},
	} {
		if got := c.policy.Judge(c.tool); got != c.want {
			t.Errorf("%+v of %s: %v, want %v", c.policy, c.tool.Name, got, c.want)
		}
	}
}
