package io.sdds.cli.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Finds known words that are similar to a mistyped word. */
final class Similar {
    private static final int DISTANCE_MAX = 2;
    private static final int PREFIX_MIN = 3;
    private static final int SUGGESTIONS_MAX = 3;

    private Similar() {}

    /** The nearest known words; empty if no word is near. */
    static List<String> to(String word, Collection<String> known) {
        int letters = word.replace("-", "").length();
        int most = Math.min(DISTANCE_MAX, letters / 2);
        List<String> nearest = new ArrayList<>();
        int least = most;
        for (String each : known) {
            int distance = distance(word, each);
            if (distance < least) {
                nearest.clear();
                least = distance;
            }
            if (distance == least && distance > 0) {
                nearest.add(each);
            }
        }
        if (nearest.isEmpty() && letters >= PREFIX_MIN) {
            known.stream().filter(each -> each.startsWith(word)).forEach(nearest::add);
        }
        return nearest.stream().distinct().sorted().limit(SUGGESTIONS_MAX).toList();
    }

    /** {@code (did you mean status?)}; empty if no word is near. */
    static String hint(String word, Collection<String> known) {
        List<String> near = to(word, known);
        return near.isEmpty() ? "" : " (did you mean " + String.join(" or ", near) + "?)";
    }

    /**
     * Number of characters to insert, remove, replace or swap with their neighbour, each at most once (optimal string
     * alignment).
     */
    static int distance(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int k = 0; k <= one.length(); k++) {
            for (int j = 0; j <= other.length(); j++) {
                cost[k][j] = k == 0 || j == 0 ? k + j : cheapest(cost, one, other, k, j);
            }
        }
        return cost[one.length()][other.length()];
    }

    private static int cheapest(int[][] cost, String one, String other, int k, int j) {
        int replace = cost[k - 1][j - 1] + (one.charAt(k - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, Math.min(cost[k - 1][j], cost[k][j - 1]) + 1);
        boolean swapped =
                k > 1 && j > 1 && one.charAt(k - 1) == other.charAt(j - 2) && one.charAt(k - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, cost[k - 2][j - 2] + 1) : least;
    }
}
