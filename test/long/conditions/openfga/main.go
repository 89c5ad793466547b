// What OpenFGA makes of conditions: one JSON object a line in, one verdict a line out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"

	openfgav1 "github.com/openfga/api/proto/openfga/v1"
	"github.com/openfga/openfga/internal/condition"
	"google.golang.org/protobuf/types/known/structpb"
)

type row struct {
	Expression string
	Parameters map[string]string
	Given      map[string]any
}

type verdict struct {
	Verdict any    `json:"verdict"`
	Message string `json:"message"`
}

// attributes is the tests' name of a map of whatever JSON holds.
func typeOf(text string) *openfgav1.ConditionParamTypeRef {
	if text == "attributes" {
		text = "map<any>"
	}
	name, rest, isContainer := strings.Cut(text, "<")
	value := openfgav1.ConditionParamTypeRef_TypeName_value["TYPE_NAME_"+strings.ToUpper(name)]
	made := &openfgav1.ConditionParamTypeRef{TypeName: openfgav1.ConditionParamTypeRef_TypeName(value)}
	if isContainer {
		made.GenericTypes = []*openfgav1.ConditionParamTypeRef{typeOf(strings.TrimSuffix(rest, ">"))}
	}
	return made
}

func judge(asked row) verdict {
	parameters := map[string]*openfgav1.ConditionParamTypeRef{}
	for name, text := range asked.Parameters {
		parameters[name] = typeOf(text)
	}
	rule := &openfgav1.Condition{Name: "rule", Expression: asked.Expression, Parameters: parameters}
	compiled, err := condition.NewCompiled(rule)
	if err != nil {
		return verdict{"refused", err.Error()}
	}
	given, err := structpb.NewStruct(asked.Given)
	if err != nil {
		panic(err)
	}
	result, err := compiled.Evaluate(context.Background(), given.GetFields())
	if err != nil {
		return verdict{"fails", err.Error()}
	}
	return verdict{result.ConditionMet, ""}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked row
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := answers.Encode(judge(asked)); err != nil {
			panic(err)
		}
	}
}
