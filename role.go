package rein

import (
	"slices"
	"strings"
)

// Rights are what a role lets its users do with the calls of tools. Scopes say what a credential is good for;
// rights say what a person may let happen.
type Rights struct {
	Role UserRole `json:"role"`
	// Approves are the calls that they may approve. An approval that they may not give is for an adult of the household.
	Approves CallSet `json:"approves"`
	// Foreign says that they may also approve a call that changes what belongs to somebody else; see Shown.Foreign.
	Foreign bool `json:"foreign,omitempty"`
	// Lasting says that they may approve calls in advance: by a rule, by a policy, and by a mode that is looser than ask.
	Lasting bool `json:"lasting,omitempty"`
	// Preset says that what the settings approve in advance (tools.allow, approvals.mode) and rules hold for their runs.
	Preset bool `json:"preset,omitempty"`
	// Offers lists the families of tools that their runs get; AllFamilies means every family. A run without the family
	// memory reads nothing of what rein remembers, and nothing is remembered of it.
	Offers []string `json:"offers"`
	// DayMicros is what they may spend in a day, in millionths of the currency unit; 0: as much as every user.
	DayMicros int64 `json:"day_micros,omitempty"`
}

// A CallSet is a set of calls: those of these families of tools that have one of these effects.
type CallSet struct {
	Families []string `json:"families,omitempty"` // AllFamilies means every family
	Effects  []Effect `json:"effects,omitempty"`
}

// AllFamilies stands for every family of tools.
const AllFamilies = "*"

// Has reports whether a call is in the set. A family that is not known is in the set of all families only, and an effect
// that is not known, because the tool is gone, counts as unsafe.
func (r CallSet) Has(family string, effect Effect) bool {
	if effect == "" {
		effect = Unsafe
	}
	return slices.Contains(r.Effects, effect) && hasFamily(r.Families, family)
}

func hasFamily(families []string, family string) bool {
	return slices.Contains(families, AllFamilies) || family != "" && slices.Contains(families, family)
}

// Offer reports whether runs of the role get tools of a family.
func (r Rights) Offer(family string) bool { return hasFamily(r.Offers, family) }

// Approve reports whether the role may approve the call that an ask is about. An ask without a call, such as a question,
// needs no right.
func (r Rights) Approve(a Ask) bool {
	if a.Call == nil {
		return true
	}
	return r.Approves.Has(a.Family, a.Effect) && (r.Foreign || !a.Foreign)
}

// Effects lists the effects, the mildest first.
func Effects() []Effect { return []Effect{Pure, Idempotent, Checkable, Unsafe} }

// Roles are the rights of each role. A role that is not in it may approve nothing, and its runs get no tools.
type Roles map[UserRole]Rights

// Of returns the rights of a role.
func (r Roles) Of(role UserRole) Rights {
	rights := r[role]
	rights.Role = role
	return rights
}

// DefaultRoles is the table of roles, as it is unless the settings change it. docs/household.md shows it.
func DefaultRoles() Roles {
	all, every := []string{AllFamilies}, CallSet{Families: []string{AllFamilies}, Effects: Effects()}
	usual := []string{"agents", "basics", "lists", "web"}
	return Roles{
		Owner:  {Approves: every, Foreign: true, Lasting: true, Preset: true, Offers: all},
		Member: {Approves: every, Foreign: true, Lasting: true, Preset: true, Offers: all},
		Child: {
			Approves: CallSet{Families: []string{"agenda", "lists"}, Effects: []Effect{Pure, Idempotent, Checkable}},
			Offers:   append([]string{"agenda", "cron", "household", "memory", "preferences"}, usual...), DayMicros: 5_000_000,
		},
		Guest:   {Approves: CallSet{Families: []string{"lists"}, Effects: []Effect{Pure}}, Offers: usual, DayMicros: 1_000_000},
		Viewer:  {Offers: all},
		Service: {Approves: every, Foreign: true, Preset: true, Offers: all},
	}
}

// IsAdult reports whether the role answers for the household: what a child or a guest may not approve is for an adult.
func (r UserRole) IsAdult() bool { return r == Owner || r == Member }

// adult is another name that people give the role of a member.
const adult = "adult"

// RoleNamed returns the role that a text names. "adult" is another name of member.
func RoleNamed(text string) (UserRole, error) {
	if text == adult {
		return Member, nil
	}
	if !slices.Contains(UserRoles(), UserRole(text)) {
		names := make([]string, 0, len(UserRoles()))
		for _, r := range UserRoles() {
			names = append(names, string(r))
		}
		return "", Errorf(CodeInvalid, "role %.40q does not exist; available: %s (adult is another name of member)", text, strings.Join(names, ", "))
	}
	return UserRole(text), nil
}

// ForAdults, as Ask.For, means every adult of the household: no user can have this name.
const ForAdults = "@adults"

// IsFor reports whether an ask of a run of the owner is for a user with this role.
func (a Ask) IsFor(user string, role UserRole, owner string) bool {
	switch a.For {
	case ForAdults:
		return role.IsAdult()
	case "":
		return user == owner
	}
	return user == a.For
}

// Whom names who is asked, for people; empty: the user of the run.
func (a Ask) Whom() string {
	if a.For != ForAdults {
		return a.For
	}
	return "an adult of the household" + a.who()
}

// Permits says why a user with these rights may not give an answer to the ask of a run of the owner, if so. The rights are
// those of now: whoever has another role since the ask opened answers by the new one. To say no to their own run everybody
// may.
func (a Ask) Permits(answer Answer, user string, rights Rights, owner string) error {
	no := answer.State == AskRejected || answer.State == AskDeclined
	switch {
	case no && user == owner && (a.For == "" || a.For == ForAdults):
		return nil
	case a.IsFor(user, rights.Role, owner):
	case a.For == ForAdults:
		return Errorf(CodeForbidden, "ask %s is for an adult of the household%s: a %s may not approve %s", a.ID, a.who(), rights.Role.name(), a.what())
	case a.For == "":
		return Errorf(CodeForbidden, "ask %s is for %s, who owns the run; %q may not answer it", a.ID, owner, user)
	default:
		return Errorf(CodeForbidden, "ask %s is for %s; %q may not answer it", a.ID, a.For, user)
	}
	switch {
	case a.allows(answer) && !rights.Approve(a):
		return Errorf(CodeForbidden, "ask %s: a %s may not approve %s: reject it, and rein asks an adult of the household the next time", a.ID, rights.Role.name(), a.what())
	case answer.Scope.Lasts() && !rights.Lasting:
		return Errorf(CodeForbidden, "%s is a %s, who can approve one call at a time: leave the scope %q out", user, rights.Role.name(), string(answer.Scope))
	case answer.Mode.IsLooser(ModeAsk) && !rights.Lasting:
		return Errorf(CodeForbidden, "%s is a %s, who cannot approve calls in advance: mode %s does; choose ask", user, rights.Role.name(), answer.Mode)
	}
	return nil
}

// allows reports whether the answer lets the call of the ask happen.
func (a Ask) allows(answer Answer) bool {
	switch answer.State {
	case AskApproved, AskEdited:
		return true
	case AskAnswered:
		return a.Kind == AskUnknown && answer.Text == RunAgain
	}
	return false
}

// who names the adults who were asked.
func (a Ask) who() string {
	if len(a.Asked) == 0 {
		return ""
	}
	return " (" + strings.Join(a.Asked, ", ") + ")"
}

// what is the kind of call that the ask is about, in a sentence.
func (a Ask) what() string {
	family := "a call of an unknown family"
	if a.Family != "" {
		family = "a call of the family " + a.Family
	}
	if a.Foreign {
		return family + " that changes what belongs to somebody else"
	}
	return family + " (" + string(a.Effect) + ")"
}

// name is the role in a sentence.
func (r UserRole) name() string {
	if r == "" {
		return "user without a role"
	}
	return string(r)
}
