package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Aggregate;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Cast;
import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.Token;
import io.sdds.core.row.Token.Kind;
import io.sdds.core.row.TokenReader;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions by recursive descent.
 *
 * <pre>
 * expression  = and { "or" and }
 * and         = not { "and" not }
 * not         = "not" not | predicate
 * predicate   = sum { comparison }
 * comparison  = ( "=" | "&lt;>" | "!=" | "&lt;" | "&lt;=" | ">" | ">=" ) sum
 *             | "is" [ "not" ] ( "null" | "true" | "false" )
 *             | [ "not" ] ( "between" sum "and" sum | "in" "(" expression { "," expression } ")"
 *                         | "like" sum [ "escape" sum ] | "contains" sum | "prefix" sum )
 * sum         = product { ( "+" | "-" | "||" ) product }
 * product     = factor { ( "*" | "/" | "%" ) factor }
 * factor      = ( "-" | "+" ) factor | primary
 * primary     = literal | "?" | name | function "(" [ expression { "," expression } ] ")" | "count" "(" "*" ")"
 *             | "(" expression ")" | "cast" "(" expression "as" type ")"
 *             | "case" [ expression ] "when" expression "then" expression ... [ "else" expression ] "end"
 * select      = expression [ [ "as" ] name ] { "," ... }
 * assignments = name "=" expression { "," ... }
 * order       = expression [ "asc" | "desc" ] [ "nulls" ( "first" | "last" ) ] { "," ... }
 * </pre>
 *
 * Words and names are read without regard to case. All methods throw IllegalArgumentException with a text of one line
 * that names the position.
 */
public final class ExpressionParser {
    /** Most operators, functions and names of a text. */
    static final int NODES_MAX = 1_000;

    /** Most brackets, functions and signs around an expression. */
    static final int DEPTH_MAX = 64;

    private static final Set<String> RESERVED = Set.of(
            "and", "or", "not", "in", "is", "like", "between", "case", "when", "then", "else", "end", "null", "true",
            "false", "as", "cast", "escape", "asc", "desc", "nulls");

    private final String what;
    private final String text;
    private final List<@Nullable Object> values;
    private final TokenReader in;
    private int marks;
    private int depth;
    private int nodes;

    private ExpressionParser(String what, String text) {
        this(what, BoundText.of(text));
    }

    private ExpressionParser(String what, BoundText bound) {
        this.what = what;
        this.text = bound.text();
        this.values = bound.values();
        this.in = new TokenReader(what, text);
    }

    /** One expression without question marks. */
    public static Expression expression(String what, String text) {
        return expression(what, BoundText.of(text));
    }

    /** One expression. */
    public static Expression expression(String what, BoundText text) {
        ExpressionParser parser = new ExpressionParser(what, text);
        Expression expression = parser.disjunction();
        parser.expectEnd("an operator or the end");
        return expression;
    }

    /** Columns of a result, as after {@code select} and {@code group by}. */
    public static List<SelectItem> selectList(String what, String text) {
        ExpressionParser parser = new ExpressionParser(what, text);
        List<SelectItem> items = new ArrayList<>();
        do {
            items.add(parser.selectItem());
        } while (parser.in.accept(","));
        parser.in.expectEnd("an operator, 'as', ',' or the end");
        return items;
    }

    /** Parts of an order, as after {@code order by}. */
    public static List<OrderItem> orderList(String what, String text) {
        ExpressionParser parser = new ExpressionParser(what, text);
        List<OrderItem> items = new ArrayList<>();
        do {
            items.add(parser.orderItem());
        } while (parser.in.accept(","));
        parser.in.expectEnd("an operator, 'asc', 'desc', 'nulls', ',' or the end");
        return items;
    }

    /** Values for columns, as after {@code set}. */
    public static List<Assignment> assignments(String what, BoundText text) {
        ExpressionParser parser = new ExpressionParser(what, text);
        List<Assignment> assignments = new ArrayList<>();
        do {
            assignments.add(parser.assignment());
        } while (parser.in.accept(","));
        parser.expectEnd("an operator, ',' or the end");
        return assignments;
    }

    /** Refuses further tokens, and values without a question mark. */
    private void expectEnd(String wanted) {
        in.expectEnd(wanted);
        if (marks < values.size()) {
            String problem = "found no question mark for value " + (marks + 1) + " of " + values.size();
            throw TokenReader.error(what, text.length(), problem);
        }
    }

    private Assignment assignment() {
        Token column = in.take();
        if (column.kind() != Kind.NAME && !isFreeWord(column)) {
            throw in.expected("a column", column);
        }
        in.expect("=", "'='");
        return new Assignment(new Name(column.content(), column.kind() == Kind.NAME, column.at()), disjunction());
    }

    private SelectItem selectItem() {
        int start = in.peek().at();
        Expression expression = disjunction();
        int end = in.end();
        boolean isNamed = in.accept("as") || in.peek().kind() == Kind.NAME || isFreeWord(in.peek());
        if (!isNamed) {
            String name = expression instanceof Name column ? column.name() : text.substring(start, end);
            return new SelectItem(expression, name);
        }
        Token name = in.take();
        if (name.kind() != Kind.NAME && !isFreeWord(name)) {
            throw in.expected("a name", name);
        }
        return new SelectItem(expression, name.content());
    }

    private OrderItem orderItem() {
        Expression expression = disjunction();
        boolean descending = in.accept("desc");
        if (!descending) {
            in.accept("asc");
        }
        boolean nullsFirst = descending;
        if (in.accept("nulls")) {
            nullsFirst = in.accept("first");
            if (!nullsFirst) {
                in.expect("last", "'first' or 'last'");
            }
        }
        return new OrderItem(expression, descending, nullsFirst);
    }

    private List<Expression> list() {
        List<Expression> expressions = new ArrayList<>();
        do {
            expressions.add(disjunction());
        } while (in.accept(","));
        return expressions;
    }

    private Expression disjunction() {
        int at = in.peek().at();
        if (++depth > DEPTH_MAX) {
            throw TokenReader.error(what, at, "deeper than " + DEPTH_MAX);
        }
        Expression expression = chain("or", this::conjunction);
        depth--;
        return expression;
    }

    private Expression conjunction() {
        return chain("and", this::negation);
    }

    /** Operands with one word between them, as one call. */
    private Expression chain(String word, Supplier<Expression> operand) {
        List<Expression> operands = new ArrayList<>();
        int at = in.peek().at();
        operands.add(operand.get());
        while (in.peek().is(word)) {
            at = operands.size() == 1 ? in.peek().at() : at;
            in.take();
            operands.add(operand.get());
        }
        return operands.size() == 1 ? operands.get(0) : call(word, operands, at);
    }

    private Expression negation() {
        int at = in.peek().at();
        boolean isNegated = false;
        boolean isThere = false;
        while (in.accept("not")) {
            isNegated = !isNegated;
            isThere = true;
        }
        Expression expression = predicate();
        // An even number of NOTs still wants a condition
        Expression once = isThere ? call("not", List.of(expression), at) : expression;
        return isThere && !isNegated ? call("not", List.of(once), at) : once;
    }

    private Expression predicate() {
        Expression left = sum();
        while (true) {
            Expression longer = comparison(left);
            if (longer == null) {
                return left;
            }
            left = longer;
        }
    }

    /** The comparison that follows; null if none does. */
    private @Nullable Expression comparison(Expression left) {
        Token operator = in.peek();
        switch (operator.lower()) {
            case "=", "<>", "!=", "<", "<=", ">", ">=" -> {
                if (operator.kind() != Kind.SIGN) {
                    return null;
                }
                in.take();
                String sign = operator.content().equals("!=") ? "<>" : operator.content();
                return call(sign, List.of(left, sum()), operator.at());
            }
            default -> {
                return in.accept("is") ? is(left, operator.at()) : wordComparison(left);
            }
        }
    }

    private Expression is(Expression left, int at) {
        boolean isNegated = in.accept("not");
        Expression test;
        if (in.accept("null")) {
            test = call("is null", List.of(left), at);
        } else if (in.accept("true")) {
            test = call("is true", List.of(left), at);
        } else {
            in.expect("false", isNegated ? "'null', 'true' or 'false'" : "'not', 'null', 'true' or 'false'");
            test = call("is true", List.of(call("not", List.of(left), at)), at);
        }
        return isNegated ? call("not", List.of(test), at) : test;
    }

    private @Nullable Expression wordComparison(Expression left) {
        int at = in.peek().at();
        boolean isNegated = in.accept("not");
        Expression test;
        if (in.accept("between")) {
            Expression least = sum();
            in.expect("and", "'and'");
            test = call("between", List.of(left, least, sum()), at);
        } else if (in.accept("in")) {
            test = in(left, at);
        } else if (in.accept("like")) {
            Expression pattern = sum();
            test = call("like", in.accept("escape") ? List.of(left, pattern, sum()) : List.of(left, pattern), at);
        } else if (in.accept("contains")) {
            test = call("contains", List.of(left, sum()), at);
        } else if (in.accept("prefix")) {
            test = call("starts_with", List.of(left, sum()), at);
        } else if (isNegated) {
            throw in.expected("'between', 'in', 'like', 'contains' or 'prefix'", in.peek());
        } else {
            return null;
        }
        return isNegated ? call("not", List.of(test), at) : test;
    }

    private Expression in(Expression left, int at) {
        in.expect("(", "'('");
        List<Expression> operands = new ArrayList<>();
        operands.add(left);
        operands.addAll(list());
        in.expect(")", "',' or ')'");
        return call("in", operands, at);
    }

    private Expression sum() {
        Expression left = product();
        while (in.peek().is("+") || in.peek().is("-") || in.peek().is("||")) {
            Token operator = in.take();
            left = call(operator.content(), List.of(left, product()), operator.at());
        }
        return left;
    }

    private Expression product() {
        Expression left = factor();
        while (in.peek().is("*") || in.peek().is("/") || in.peek().is("%")) {
            Token operator = in.take();
            left = call(operator.content(), List.of(left, factor()), operator.at());
        }
        return left;
    }

    private Expression factor() {
        Token sign = in.peek();
        if (!sign.is("-") && !sign.is("+")) {
            return primary();
        }
        in.take();
        if (in.peek().kind() == Kind.NUMBER) {
            Token number = in.take();
            return Literals.number(what, sign.content(), number);
        }
        if (++depth > DEPTH_MAX) {
            throw TokenReader.error(what, sign.at(), "deeper than " + DEPTH_MAX);
        }
        Expression operand = factor();
        depth--;
        return call(sign.is("-") ? "negate" : "plus", List.of(operand), sign.at());
    }

    private Expression primary() {
        Token token = in.take();
        return switch (token.kind()) {
            case NUMBER -> Literals.number(what, "", token);
            case TEXT -> Literals.text(what, token);
            case BYTES -> Literals.bytes(what, token);
            case NAME -> counted(new Name(token.content(), true, token.at()), token.at());
            case WORD -> word(token);
            case SIGN, END -> {
                if (token.is(BoundText.MARK)) {
                    yield value(token);
                }
                if (!token.is("(")) {
                    throw in.expected("an expression", token);
                }
                Expression inner = disjunction();
                in.expect(")", "an operator or ')'");
                yield inner;
            }
        };
    }

    /** The value of a question mark. */
    private Expression value(Token mark) {
        if (marks == values.size()) {
            throw TokenReader.error(what, mark.at(), "question mark " + (marks + 1) + " has no value");
        }
        Object value = values.get(marks++);
        return value == null ? new Literal(null, null, mark.at()) : Literals.of(value, mark.at());
    }

    private Expression word(Token token) {
        String word = token.lower();
        ValueType type = Literals.typeOfWord(word);
        if (type != null && in.peek().kind() == Kind.TEXT) {
            return Literals.typed(what, type, in.take(), token.at());
        }
        switch (word) {
            case "true", "false" -> {
                return Literals.bool(word.equals("true"), token.at());
            }
            case "null" -> {
                return new Literal(null, null, token.at());
            }
            case "case" -> {
                return cases(token.at());
            }
            case "cast" -> {
                return cast(token.at());
            }
            default -> {
                if (RESERVED.contains(word)) {
                    throw in.expected("an expression", token);
                }
                return in.accept("(")
                        ? function(word, token.at())
                        : counted(new Name(token.content(), false, token.at()), token.at());
            }
        }
    }

    private Expression function(String name, int at) {
        for (Expression.Function function : Expression.Function.values()) {
            if (function.name().toLowerCase(Locale.ROOT).equals(name)) {
                return aggregate(function, at);
            }
        }
        List<Expression> operands = in.peek().is(")") ? List.of() : list();
        in.expect(")", "an operator, ',' or ')'");
        return call(name, operands, at);
    }

    private Expression aggregate(Expression.Function function, int at) {
        boolean isOfRows = function == Expression.Function.COUNT && in.accept("*");
        Expression operand = isOfRows ? null : disjunction();
        in.expect(")", isOfRows ? "')'" : "an operator or ')'");
        if (operand != null && operand.has(Aggregate.class)) {
            throw TokenReader.error(what, at, "an aggregate of an aggregate");
        }
        return counted(new Aggregate(function, operand, at), at);
    }

    private Expression cases(int at) {
        Expression subject = in.peek().is("when") ? null : disjunction();
        List<Expression> operands = new ArrayList<>();
        in.expect("when", "'when'");
        do {
            int test = in.peek().at();
            Expression condition = disjunction();
            operands.add(subject == null ? condition : call("=", List.of(subject, condition), test));
            in.expect("then", "an operator or 'then'");
            operands.add(disjunction());
        } while (in.accept("when"));
        operands.add(
                in.accept("else")
                        ? disjunction()
                        : new Literal(null, null, in.peek().at()));
        in.expect("end", "an operator, 'when', 'else' or 'end'");
        return call("case", operands, at);
    }

    private Expression cast(int at) {
        in.expect("(", "'('");
        Expression operand = disjunction();
        in.expect("as", "an operator or 'as'");
        ValueType type = type();
        in.expect(")", "')'");
        return counted(new Cast(operand, type, at), at);
    }

    /** The word of a type, and what stands in brackets behind it. */
    private ValueType type() {
        if (in.peek().kind() == Kind.END) {
            throw in.expected("a type", in.peek());
        }
        int start = in.take().at();
        if (in.accept("(")) {
            while (!in.peek().is(")") && in.peek().kind() != Kind.END) {
                in.take();
            }
            in.expect(")", "')'");
        }
        try {
            return SchemaText.parseType(text.substring(start, in.end()));
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            throw TokenReader.error(what, start, problem.substring(problem.indexOf(": ") + 2));
        }
    }

    private Expression call(String function, List<Expression> operands, int at) {
        return counted(new Call(function, operands, at), at);
    }

    private Expression counted(Expression expression, int at) {
        if (++nodes > NODES_MAX) {
            throw TokenReader.error(what, at, "more than " + NODES_MAX + " operators, functions and names");
        }
        return expression;
    }

    private static boolean isFreeWord(Token token) {
        return token.kind() == Kind.WORD && !RESERVED.contains(token.lower());
    }
}
