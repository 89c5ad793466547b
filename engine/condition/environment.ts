import { Environment } from '@marcbachmann/cel-js';
import type { ParameterType } from './condition.ts';
import { CONDITION_LIMITS } from './limits.ts';
import { type Evaluator, syntaxOf } from './syntax.ts';
import { IpAddress, parseIpAddress, parseIpRange, rangeContains } from './values/ip-address.ts';

const CEL_TYPES = {
  any: 'dyn',
  bool: 'bool',
  string: 'string',
  int: 'int',
  uint: 'uint',
  double: 'double',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
  ipaddress: 'ipaddress',
} as const;

const base = new Environment({
  limits: { maxAstNodes: CONDITION_LIMITS.nodes, maxDepth: CONDITION_LIMITS.depth },
})
  .registerType('ipaddress', IpAddress)
  .registerFunction('ipaddress(string): ipaddress', toIpAddress, { async: false })
  .registerFunction('ipaddress.in_cidr(string): bool', inCidr, { async: false })
  .registerFunction('int(google.protobuf.Timestamp): int', replaced, { async: false })
  .registerFunction('timestamp(google.protobuf.Timestamp): google.protobuf.Timestamp', replaced, { async: false })
  .registerFunction('duration(google.protobuf.Duration): google.protobuf.Duration', replaced, { async: false })
  .registerFunction('matches(string, string): bool', replaced, { async: false })
  .registerOperator('ipaddress == ipaddress', (left: IpAddress, right: IpAddress) => left.equals(right));

/** The environment in which one condition is parsed: the base and its parameters as variables. */
export function environmentFor(parameters: ReadonlyMap<string, ParameterType>): Environment {
  const environment = base.clone();
  for (const [name, type] of parameters) environment.registerVariable(name, celType(type));
  keepTypesShallow(environment);
  return environment;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a parameter can have this name: an identifier that neither CEL nor one of its constants has taken. */
export function isFreeName(name: string): boolean {
  if (!IDENTIFIER.test(name) || base.hasVariable(name)) return false;
  // A reserved word does not parse, a literal is valid; a free name is a variable that nobody has declared.
  return base.check(name).error?.code === 'unknown_variable';
}

function celType(type: ParameterType): string {
  if (type.kind === 'list') return `list<${celType(type.of)}>`;
  if (type.kind === 'map') return `map<string, ${celType(type.of)}>`;
  return CEL_TYPES[type.kind];
}

/**
 * For a value of type `any` the library derives a type from all of its nesting and keeps every type it ever saw in
 * one process-wide table, so that contexts of ever new shapes would fill the memory. One level is enough to find an
 * operator; equality, which would need more, is our own.
 */
function keepTypesShallow(environment: Environment): void {
  const probe = environment.parse('true');
  const reach = (evaluator: Evaluator): boolean => {
    evaluator.debugTypeDeep = (value) => evaluator.debugType(value);
    return true;
  };
  syntaxOf(probe).setMeta('evaluate', reach);
  probe();
}

function toIpAddress(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (address === undefined) throw new Error('ipaddress() needs an IPv4 or IPv6 address');
  return address;
}

function inCidr(address: IpAddress, text: string): boolean {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error('in_cidr() needs a range such as 10.0.0.0/8');
  return rangeContains(range, address);
}

/** Only its signature counts: the call is given another handler when the condition is compiled. */
function replaced(): never {
  throw new Error('this function has not been replaced');
}
