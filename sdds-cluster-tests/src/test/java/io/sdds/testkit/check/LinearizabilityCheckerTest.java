package io.sdds.testkit.check;

import static io.sdds.testkit.check.Histories.cas;
import static io.sdds.testkit.check.Histories.delete;
import static io.sdds.testkit.check.Histories.get;
import static io.sdds.testkit.check.Histories.increment;
import static io.sdds.testkit.check.Histories.put;
import static io.sdds.testkit.check.Histories.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
    private static boolean holds(Operation... operations) {
        return LinearizabilityChecker.check(List.of(operations)).isEmpty();
    }

    @Test
    void acceptsReadsOfEitherValueDuringAWrite() {
        assertThat(holds(put("k", "a", 0, 1), put("k", "b", 10, 20), get("k", "a", 11, 12), get("k", "b", 13, 14)))
                .isTrue();
    }

    @Test
    void rejectsReadsThatGoBack() {
        assertThat(holds(put("k", "a", 0, 1), put("k", "b", 10, 20), get("k", "b", 11, 12), get("k", "a", 13, 14)))
                .isFalse();
    }

    @Test
    void rejectsLostUpdates() {
        assertThat(holds(increment("k", "1", "1", 0, 1), increment("k", "1", "1", 2, 3)))
                .isFalse();
        assertThat(holds(put("k", "a", 0, 1), cas("k", "a", "b", Result.OK, 2, 9), cas("k", "a", "c", Result.OK, 2, 9)))
                .isFalse();
    }

    @Test
    void rejectsEffectsThatHappenTwice() {
        assertThat(holds(increment("k", "1", "1", 0, 1), increment("k", "1", "3", 2, 3)))
                .isFalse();
    }

    @Test
    void rejectsAnAcknowledgedWriteThatIsNotThere() {
        assertThat(holds(put("k", "a", 0, 1), get("k", null, 2, 3))).isFalse();
        assertThat(holds(put("k", "a", 0, 1), delete("k", 2, 3), get("k", "a", 4, 5)))
                .isFalse();
    }

    @Test
    void letsUnknownWritesHappenLateOrNever() {
        Operation maybe = unknown(put("k", "b", 10, 11));
        assertThat(holds(put("k", "a", 0, 1), maybe, get("k", "a", 20, 21), get("k", "b", 30, 31)))
                .isTrue();
        assertThat(holds(put("k", "a", 0, 1), maybe, get("k", "a", 20, 21))).isTrue();
        assertThat(holds(put("k", "a", 0, 1), maybe, get("k", "b", 5, 6))).isFalse();
        assertThat(holds(put("k", "a", 0, 1), maybe, get("k", "b", 20, 21), get("k", "a", 30, 31)))
                .isFalse();
    }

    /** Else it would be at it for hours. */
    @Test
    @Tag("soak")
    void saysSoWhenOpenWritesCanBePlacedInTooManyWays() {
        List<Operation> history = new ArrayList<>();
        for (int k = 0; k < 40; k++) {
            history.add(unknown(put("k", "v" + k, 0, 1)));
            history.add(unknown(cas("k", "v" + k, "v" + (k + 1) % 40, Result.OK, 0, 1)));
        }
        for (int k = 0; k < 12; k++) {
            history.add(delete("k", 2 + 2 * k, 3 + 2 * k)); // of any of those
        }
        history.add(put("k", "a", 32, 33));
        history.add(put("k", "b", 34, 35));
        history.add(get("k", "a", 36, 37));
        assertThat(LinearizabilityChecker.check(history))
                .singleElement()
                .extracting(Violation::text)
                .asString()
                .contains("undecided: key k: too many orders to search");
    }

    /**
     * What a client does after others were cut off for a time: an order that needs none of the open writes is not
     * sought among the orders of those.
     */
    @Test
    void decidesWhereOpenWritesThatExpireAreNotNeeded() {
        List<Operation> history = new ArrayList<>();
        for (int k = 0; k < 40; k++) {
            history.add(unknown(put("k", "v" + k, k, k + 1)));
            history.add(unknown(delete("k", k, k + 1)));
            history.add(expire("k", null, "v" + k, 50 + k));
        }
        history.add(put("k", "a", 200, 215));
        history.add(new Operation(1, Kind.REPLACE, "k", "b", null, Result.OK, null, 230, 245));
        history.add(new Operation(2, Kind.TOUCH, "k", "t", null, Result.OK, null, 235, 250));
        history.add(new Operation(2, Kind.DELETE, "k", null, "b", Result.OK, null, 255, 380));
        history.add(new Operation(3, Kind.PUT_IF_ABSENT, "k", "c", null, Result.OK, null, 216, 390));
        history.add(get("k", "a", 217, 218));
        history.add(get("k", "c", 400, 401));
        assertThat(LinearizabilityChecker.check(history)).isEmpty();
        history.add(get("k", "a", 410, 411));
        assertThat(LinearizabilityChecker.check(history))
                .singleElement()
                .extracting(Violation::text)
                .asString()
                .contains("not linearizable");
    }

    /** A sum that begins anew tells that the record was gone: of many open writes the one is sought that removed it. */
    @Test
    void decidesWhereOneOfManyOpenWritesMakesASumBeginAnew() {
        List<Operation> history = new ArrayList<>();
        history.add(increment("k", "10", "10", 0, 1));
        for (int k = 0; k < 30; k++) {
            history.add(unknown(increment("k", Integer.toString(1 + k * k), "0", 10 + k, 11 + k)));
        }
        history.add(unknown(delete("k", 100, 101)));
        history.add(increment("k", "6", "6", 200, 201));
        history.add(increment("k", "3", "9", 210, 211));
        assertThat(LinearizabilityChecker.check(history)).isEmpty();
    }

    /**
     * What two accepted losses leave: either removed the record at some time, and open writes may have been done once
     * in each of the partitions that were lost. A loss that is placed where there is no record yet explains nothing.
     */
    @Test
    @Tag("soak")
    void decidesWhichLossMadeASumBeginAnew() {
        List<Operation> history = new ArrayList<>();
        history.add(clear(0, 7900));
        history.add(clear(0, 10500));
        addSums(history, 119, new int[] {1, 1, 6, 2});
        addOpen(history, 4, new int[][] {{233, 5}});
        history.add(increment("k", "5", "15", 234, 243));
        history.add(increment("k", "3", "18", 1678, 1682));
        history.add(increment("k", "1", "19", 1718, 1721));
        addOpen(history, 4, new int[][] {{3032, 7}, {3145, 2}, {3959, 8}, {4014, 5}, {4504, 9}});
        addOpen(history, 2, new int[][] {{8502, 9}, {9039, 8}, {9342, 1}, {9381, 9}});
        history.add(increment("k", "6", "6", 10550, 10560));
        history.add(increment("k", "9", "15", 14890, 14900));
        assertThat(LinearizabilityChecker.check(history)).isEmpty();
        history.removeFirst();
        history.removeFirst();
        assertThat(LinearizabilityChecker.check(history))
                .singleElement()
                .extracting(Violation::text)
                .asString()
                .contains("not linearizable");
    }

    /** Increments one after the other, of a record that is not there at first. */
    private static void addSums(List<Operation> history, long start, int[] deltas) {
        int sum = 0;
        for (int k = 0; k < deltas.length; k++) {
            sum += deltas[k];
            long begins = start + 20 * k;
            history.add(increment("k", Integer.toString(deltas[k]), Integer.toString(sum), begins, begins + 5));
        }
    }

    /** Each of the increments, start and delta, so many times. */
    private static void addOpen(List<Operation> history, int times, int[][] increments) {
        for (int[] increment : increments) {
            for (int k = 0; k < times; k++) {
                history.add(unknown(increment("k", Integer.toString(increment[1]), "0", increment[0], 0)));
            }
        }
    }

    private static Operation clear(long start, long end) {
        return new Operation(0, Kind.CLEAR, "k", null, null, Result.OK, null, start, end);
    }

    @Test
    void aSumMayBeginAnewAtARecordThatHoldsZero() {
        assertThat(holds(put("k", "0", 0, 1), increment("k", "6", "6", 2, 3))).isTrue();
        assertThat(holds(
                        increment("k", "4", "4", 0, 1),
                        increment("k", "-4", "0", 2, 3),
                        increment("k", "6", "6", 4, 5)))
                .isTrue();
        assertThat(holds(
                        increment("k", "4", "4", 0, 1),
                        unknown(increment("k", "-4", "0", 2, 3)),
                        increment("k", "6", "6", 4, 5)))
                .isTrue();
        assertThat(holds(increment("k", "4", "4", 0, 1), increment("k", "6", "6", 4, 5)))
                .isFalse();
    }

    @Test
    void letsARecordExpireOnceAndNotTooEarly() {
        Operation expires = expire("k", null, "a", 10);
        assertThat(holds(put("k", "a", 0, 1), expires, get("k", "a", 5, 6), get("k", null, 20, 21)))
                .isTrue();
        assertThat(holds(put("k", "a", 0, 1), expires, get("k", "a", 20, 21))).isTrue();
        assertThat(holds(put("k", "a", 0, 1), expires, get("k", null, 5, 6))).isFalse();
        assertThat(holds(put("k", "a", 0, 1), expires, get("k", null, 20, 21), get("k", "a", 30, 31)))
                .as("risen again")
                .isFalse();
        assertThat(holds(put("k", "a", 0, 1), expires, put("k", "b", 5, 6), get("k", null, 20, 21)))
                .as("written again, without expiry")
                .isFalse();
    }

    @Test
    void aTouchGivesARecordAnotherLife() {
        Operation touch = new Operation(1, Kind.TOUCH, "k", "t", null, Result.OK, null, 5, 6);
        Operation expires = expire("k", null, "a", 10);
        Operation later = expire("k", "t", null, 50);
        assertThat(holds(put("k", "a", 0, 1), expires, touch, later, get("k", "a", 20, 21), get("k", null, 60, 61)))
                .isTrue();
        assertThat(holds(put("k", "a", 0, 1), expires, touch, later, get("k", null, 20, 21)))
                .isFalse();
        assertThat(holds(touch, get("k", null, 20, 21))).isFalse();
    }

    @Test
    void aDeleteByVersionNeedsItsValue() {
        Operation byVersion = new Operation(1, Kind.DELETE, "k", null, "a", Result.OK, null, 4, 5);
        assertThat(holds(put("k", "a", 0, 1), byVersion, get("k", null, 6, 7))).isTrue();
        assertThat(holds(put("k", "b", 0, 1), byVersion)).isFalse();
        assertThat(holds(put("k", "b", 0, 1), Histories.ended(byVersion, Result.FALSE, null), get("k", "b", 6, 7)))
                .isTrue();
        assertThat(holds(put("k", "a", 0, 1), Histories.ended(byVersion, Result.FALSE, null)))
                .isFalse();
    }

    private static Operation expire(String key, @Nullable String touch, @Nullable String value, long start) {
        return new Operation(1, Kind.EXPIRE, key, touch, value, Result.UNKNOWN, null, start, Operation.OPEN);
    }

    @Test
    void ignoresRefusedWritesAndUnknownReads() {
        Operation refused = Histories.ended(put("k", "b", 2, 3), Result.REFUSED, null);
        assertThat(holds(put("k", "a", 0, 1), refused, unknown(get("k", "x", 4, 5)), get("k", "a", 6, 7)))
                .isTrue();
        assertThat(holds(put("k", "a", 0, 1), refused, get("k", "b", 6, 7))).isFalse();
    }

    @Test
    void judgesKeysAlone() {
        List<Violation> violations = LinearizabilityChecker.check(
                List.of(put("a", "1", 0, 1), put("b", "1", 0, 1), get("a", "1", 2, 3), get("b", "2", 2, 3)));
        assertThat(violations).hasSize(1);
        assertThat(violations.get(0).text()).contains("key b");
    }

    @Test
    void namesTheSmallestWindow() {
        List<Operation> history = new ArrayList<>();
        for (int k = 0; k < 100; k++) {
            history.add(put("k", "v" + k, 10 * k, 10 * k + 3));
            history.add(get("k", "v" + k, 10 * k + 5, 10 * k + 8));
        }
        history.set(101, get("k", "v49", 505, 508)); // instead of v50
        List<Violation> violations = LinearizabilityChecker.check(history);
        assertThat(violations).hasSize(1);
        assertThat(violations.get(0).operations()).containsExactly(history.get(100), history.get(101));
    }

    @Test
    void agreesWithTryingEveryOrder() {
        agreesWithTryingEveryOrder(0);
    }

    @Test
    void agreesWithTryingEveryOrderOfPositiveNumbers() {
        agreesWithTryingEveryOrder(1);
    }

    private static void agreesWithTryingEveryOrder(int leastNumber) {
        int wrong = 0;
        for (long seed = 0; seed < 1000; seed++) {
            List<Operation> history = arbitrary(new SplittableRandom(seed), leastNumber);
            boolean holds = LinearizabilityChecker.check(history).isEmpty();
            assertThat(holds).as("seed %d: %s", seed, history).isEqualTo(everyOrder(history));
            wrong += holds ? 0 : 1;
        }
        assertThat(wrong).isBetween(100, 900);
    }

    @Test
    void acceptsWhatARegisterDoesAndRejectsItOnceAReadIsFalsified() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Operation> history = Histories.ofARegister(random, "k", 150, 1 + random.nextInt(20));
            assertThat(LinearizabilityChecker.check(history))
                    .as("seed %d", seed)
                    .isEmpty();
            for (int k = 0; k < history.size(); k++) {
                Operation operation = history.get(k);
                if (operation.result() == Result.VALUE) {
                    history.set(k, Histories.ended(operation, Result.VALUE, "never written"));
                    assertThat(LinearizabilityChecker.check(history))
                            .as("seed %d", seed)
                            .hasSize(1);
                    break;
                }
            }
        }
    }

    @Test
    void isFastForHundredsOfOperationsWithManyConcurrent() {
        for (long seed = 0; seed < Seeds.part(20); seed++) {
            List<Operation> history = Histories.ofARegister(new SplittableRandom(seed), "k", 600, 15);
            assertThat(LinearizabilityChecker.check(history)).isEmpty();
        }
    }

    /** Few operations with arbitrary outcomes and times: about as often right as wrong. */
    private static List<Operation> arbitrary(SplittableRandom random, int leastNumber) {
        List<Operation> history = new ArrayList<>();
        int operations = random.nextInt(2, 7);
        RegisterModel register = new RegisterModel();
        for (int k = 0; k < operations; k++) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            boolean ofTouch = kind == Kind.EXPIRE && random.nextBoolean();
            boolean writes = kind != Kind.GET && kind != Kind.DELETE && (kind != Kind.EXPIRE || ofTouch);
            boolean expects =
                    kind == Kind.CAS || kind == Kind.DELETE && random.nextBoolean() || kind == Kind.EXPIRE && !ofTouch;
            String value = writes ? Integer.toString(leastNumber + random.nextInt(3)) : null;
            String expected = expects ? Integer.toString(leastNumber + random.nextInt(3)) : null;
            long start = random.nextLong(20);
            Operation asked = new Operation(
                    k, kind, "k", value, expected, Result.UNKNOWN, null, start, start + random.nextLong(20));
            int state = random.nextInt(3) == 0
                    ? RegisterModel.ABSENT
                    : register.state(Integer.toString(leastNumber + random.nextInt(3)));
            Operation ended = kind == Kind.EXPIRE ? unknown(asked) : Histories.withOutcome(register, state, asked);
            history.add(kind != Kind.GET && random.nextInt(6) == 0 ? unknown(ended) : ended);
        }
        return history;
    }

    private static boolean everyOrder(List<Operation> history) {
        return everyOrder(history, new RegisterModel(), RegisterModel.ABSENT, new boolean[history.size()]);
    }

    private static boolean everyOrder(List<Operation> history, RegisterModel register, int state, boolean[] placed) {
        boolean done = true;
        for (int k = 0; k < history.size(); k++) {
            done &= placed[k] || history.get(k).isOpen();
        }
        for (int k = 0; !done && k < history.size(); k++) {
            if (!placed[k] && mayBeNext(history, placed, history.get(k))) {
                int after = register.after(state, history.get(k));
                if (after != RegisterModel.IMPOSSIBLE) {
                    placed[k] = true;
                    done = everyOrder(history, register, after, placed);
                    placed[k] = false;
                }
            }
        }
        return done;
    }

    private static boolean mayBeNext(List<Operation> history, boolean[] placed, Operation next) {
        for (int k = 0; k < history.size(); k++) {
            if (!placed[k] && history.get(k).endNanos() < next.startNanos()) {
                return false;
            }
        }
        return true;
    }
}
