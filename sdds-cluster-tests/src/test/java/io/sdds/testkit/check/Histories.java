package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Histories made up for tests. */
public final class Histories {
    private Histories() {}

    public static Operation put(String key, String value, long start, long end) {
        return new Operation(1, Kind.PUT, key, value, null, Result.OK, null, start, end);
    }

    public static Operation get(String key, @Nullable String out, long start, long end) {
        Result result = out == null ? Result.ABSENT : Result.VALUE;
        return new Operation(2, Kind.GET, key, null, null, result, out, start, end);
    }

    public static Operation delete(String key, long start, long end) {
        return new Operation(3, Kind.DELETE, key, null, null, Result.OK, null, start, end);
    }

    static Operation increment(String key, String delta, @Nullable String out, long start, long end) {
        return new Operation(4, Kind.INCREMENT, key, delta, null, Result.OK, out, start, end);
    }

    static Operation cas(String key, String expected, String value, Result result, long start, long end) {
        return new Operation(5, Kind.CAS, key, value, expected, result, null, start, end);
    }

    public static Operation unknown(Operation operation) {
        return new Operation(
                operation.client(),
                operation.kind(),
                operation.key(),
                operation.value(),
                operation.expected(),
                Result.UNKNOWN,
                null,
                operation.startNanos(),
                Operation.OPEN);
    }

    /**
     * What clients of a register that really is one would see: each operation takes effect at one moment between its
     * start and its end.
     */
    static List<Operation> ofARegister(RandomGenerator random, String key, int operations, int concurrent) {
        long[] clientFree = new long[concurrent];
        List<Operation> begun = new ArrayList<>();
        List<long[]> effects = new ArrayList<>();
        for (int k = 0; k < operations; k++) {
            int client = random.nextInt(concurrent);
            long start = clientFree[client] + random.nextLong(1, 20);
            long effect = start + random.nextLong(50);
            long end = effect + random.nextLong(50);
            clientFree[client] = end + 1;
            begun.add(asked(random, key, k, client, start, end));
            effects.add(new long[] {effect, k});
        }
        effects.sort(Comparator.<long[]>comparingLong(effect -> effect[0]).thenComparingLong(effect -> effect[1]));
        Operation[] ended = new Operation[operations];
        RegisterModel register = new RegisterModel();
        int state = RegisterModel.ABSENT;
        for (long[] effect : effects) {
            int k = (int) effect[1];
            boolean expiry = begun.get(k).kind() == Kind.EXPIRE;
            ended[k] = expiry ? unknown(begun.get(k)) : withOutcome(register, state, begun.get(k));
            int after = register.after(state, ended[k]);
            state = after == RegisterModel.IMPOSSIBLE ? state : after; // nothing was left to expire
            if (random.nextInt(20) == 0 && ended[k].kind() != Kind.GET) {
                ended[k] = unknown(ended[k]);
            }
        }
        List<Operation> history = new ArrayList<>(List.of(ended));
        history.sort(Comparator.comparingLong(Operation::startNanos));
        return history;
    }

    private static Operation asked(RandomGenerator random, String key, int number, int client, long start, long end) {
        Kind kind = Kind.values()[random.nextInt(Kind.CLEAR.ordinal())]; // a clear is no operation on one key
        String earlier = "v" + random.nextInt(Math.max(1, number));
        String value = switch (kind) {
            case GET, DELETE -> null;
            case INCREMENT, ADD -> Integer.toString(random.nextInt(1, 5));
            case EXPIRE -> random.nextBoolean() ? earlier : null;
            default -> random.nextInt(3) == 0 ? Integer.toString(number) : "v" + number;
        };
        boolean expects = kind == Kind.CAS
                || kind == Kind.DELETE && random.nextInt(3) == 0
                || kind == Kind.EXPIRE && value == null;
        String expected = expects ? earlier : null;
        return new Operation(client, kind, key, value, expected, Result.UNKNOWN, null, start, end);
    }

    /** The operation with the one outcome that it has in a state. */
    static Operation withOutcome(RegisterModel register, int state, Operation asked) {
        String now = register.value(state);
        for (Result result : new Result[] {Result.VALUE, Result.ABSENT, Result.OK, Result.FALSE}) {
            String out = result == Result.VALUE ? now : null;
            Operation ended = ended(asked, result, out);
            int after = register.after(state, ended);
            if (after != RegisterModel.IMPOSSIBLE && (result != Result.VALUE || asked.kind() == Kind.GET)) {
                boolean sum = asked.kind() == Kind.INCREMENT && result == Result.OK;
                return sum ? ended(asked, result, register.value(after)) : ended;
            }
        }
        throw new AssertionError("no outcome of " + asked + " in " + now);
    }

    static Operation ended(Operation asked, Result result, @Nullable String out) {
        return new Operation(
                asked.client(),
                asked.kind(),
                asked.key(),
                asked.value(),
                asked.expected(),
                result,
                out,
                asked.startNanos(),
                asked.endNanos());
    }
}
