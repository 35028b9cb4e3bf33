package io.sdds.sql.tpcds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query template of TPC-DS from the library {@code net.hydromatic:tpcds}. A template defines parameters by
 * expressions; this class draws their values and puts them into the text, as the standard's program {@code dsqgen}
 * does.
 */
final class TpcdsTemplate {
    private static final Pattern DEFINITION = Pattern.compile(
            "^[ \\t]*define\\s+(\\w+)\\s*=(.*?);[^;\\n]*$",
            Pattern.MULTILINE | Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final Pattern REFERENCE = Pattern.compile("\\[(\\w+)(?:\\.(\\w+))?]");
    private static final Pattern DAYS = Pattern.compile("([+-])\\s*(\\d+)\\s+days");
    private static final Pattern ORDER_BY_NAME =
            Pattern.compile("(.*)(order\\s+by\\s+lochierarchy.*)", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-M-d");

    /** Draws of one list until it has values that differ. */
    private static final int DRAWS_A_VALUE = 50;

    private final Random random;
    private final Map<String, List<String>> values = new HashMap<>();
    private String text = "";
    private int at;

    private TpcdsTemplate(long seed) {
        random = new Random(seed);
    }

    /**
     * The statements of a query: one, or two of those that the standard writes in two parts.
     *
     * @param seed of the drawn values
     */
    static List<String> statements(int number, long seed) {
        String template = resource("/query_templates/query" + number + ".tpl", TpcdsTemplate.class)
                .replaceAll("(?m)--.*$", "")
                .replace("[NETTWo]", "[NETTWO]")
                .replaceAll("\\bc_last_review_date\\b", "c_last_review_date_sk")
                // Few pages are there at a small scale, and none of these sizes.
                .replace("between 5000 and 5200", "between 100 and 9000");
        String filled = new TpcdsTemplate(seed).fill(template);
        return Arrays.stream(filled.split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .map(TpcdsTemplate::orderedByNames)
                .toList();
    }

    /** PostgreSQL takes a name of the result in an expression of ORDER BY only outside of its block. */
    private static String orderedByNames(String statement) {
        Matcher order = ORDER_BY_NAME.matcher(statement);
        return order.matches() ? "select * from (" + order.group(1) + ") ranked " + order.group(2) : statement;
    }

    static String resource(String name, Class<?> of) {
        try (InputStream file = Objects.requireNonNull(of.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String fill(String template) {
        values.put("_LIMITC", List.of("limit 100"));
        Matcher definitions = DEFINITION.matcher(template);
        while (definitions.find()) {
            text = definitions.group(2).strip();
            at = 0;
            values.put(definitions.group(1), sum());
        }
        String body = definitions.reset().replaceAll("");
        String filled = REFERENCE
                .matcher(body)
                .replaceAll(match -> Matcher.quoteReplacement(value(match.group(1), match.group(2))));
        return DAYS.matcher(filled).replaceAll("$1 INTERVAL '$2' DAY");
    }

    /** The value of a reference such as {@code [YEAR]} or {@code [STATE.2]}. */
    private String value(String name, String element) {
        List<String> list = values.getOrDefault(name, List.of(""));
        int index = element != null && element.matches("\\d+") ? Integer.parseInt(element) - 1 : 0;
        return list.get(index % list.size());
    }

    private List<String> sum() {
        List<String> sum = product();
        for (blanks(); at < text.length() && "+-/".indexOf(text.charAt(at)) >= 0; blanks()) {
            char operator = text.charAt(at++);
            sum = List.of(computed(operator, sum.get(0), product().get(0)));
        }
        return sum;
    }

    private static String computed(char operator, String left, String right) {
        if (!left.matches("-?\\d+") || !right.matches("-?\\d+")) {
            return left + right;
        }
        int first = Integer.parseInt(left);
        int second = Integer.parseInt(right);
        return Integer.toString(
                switch (operator) {
                    case '+' -> first + second;
                    case '-' -> first - second;
                    default -> first / second;
                });
    }

    private List<String> product() {
        blanks();
        char first = text.charAt(at);
        if (first == '"') {
            int end = text.indexOf('"', at + 1);
            String constant = text.substring(at + 1, end);
            at = end + 1;
            return List.of(constant);
        }
        if (first == '(') {
            at++;
            List<String> inner = sum();
            expect(')');
            return inner;
        }
        Matcher reference = REFERENCE.matcher(text).region(at, text.length());
        if (reference.lookingAt()) {
            at = reference.end();
            return List.of(value(reference.group(1), reference.group(2)));
        }
        Matcher word = Pattern.compile("-?\\w+").matcher(text).region(at, text.length());
        if (!word.lookingAt()) {
            throw new IllegalArgumentException(text + " at " + at);
        }
        at = word.end();
        blanks();
        return at < text.length() && text.charAt(at) == '('
                ? call(word.group().toLowerCase(java.util.Locale.ROOT))
                : List.of(word.group());
    }

    private List<String> call(String function) {
        expect('(');
        return switch (function) {
            case "ulist" -> list();
            case "text" -> choice();
            default -> {
                List<String> first = sum();
                String[] arguments = {first.get(0), "", ""};
                for (int k = 1; accept(','); k++) {
                    arguments[k] = sum().get(0);
                }
                expect(')');
                yield List.of(apply(function, arguments));
            }
        };
    }

    private List<String> list() {
        int begin = at;
        sum();
        expect(',');
        int size = Integer.parseInt(product().get(0));
        expect(')');
        int end = at;
        Set<String> drawn = new LinkedHashSet<>();
        for (int k = 0; k < size * DRAWS_A_VALUE && drawn.size() < size; k++) {
            at = begin;
            drawn.add(sum().get(0));
        }
        at = end;
        return List.copyOf(drawn);
    }

    /** One of {@code {"text", weight}, ...}; weights are taken for equal. */
    private List<String> choice() {
        Set<String> choices = new LinkedHashSet<>();
        do {
            if (accept('{')) {
                choices.add(sum().get(0));
                expect(',');
                sum();
                expect('}');
            } else {
                choices.add(sum().get(0));
            }
        } while (accept(','));
        expect(')');
        List<String> all = List.copyOf(choices);
        return List.of(all.get(random.nextInt(all.size())));
    }

    private String apply(String function, String... of) {
        return switch (function) {
            case "random" -> Integer.toString(random.nextInt(Integer.parseInt(of[0]), Integer.parseInt(of[1]) + 1));
            case "date" -> date(LocalDate.parse(of[0], DATE), LocalDate.parse(of[1], DATE));
            case "rowcount" -> of[0].equals("store_sales") ? "28810" : of[0].equals("categories") ? "10" : "2";
            case "dist" -> TpcdsWords.drawn(of[0], Integer.parseInt(of[1]), random);
            case "distmember" -> TpcdsWords.member(of[0], Integer.parseInt(of[1]), Integer.parseInt(of[2]));
            default -> throw new IllegalArgumentException(function);
        };
    }

    private String date(LocalDate first, LocalDate last) {
        return LocalDate.ofEpochDay(random.nextLong(first.toEpochDay(), last.toEpochDay() + 1))
                .toString();
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean accept(char symbol) {
        blanks();
        boolean isThere = at < text.length() && text.charAt(at) == symbol;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void expect(char symbol) {
        if (!accept(symbol)) {
            throw new IllegalArgumentException("no " + symbol + " in " + text + " at " + at);
        }
    }
}
