package io.sdds.coordinator.control.placement;

import io.sdds.core.model.BrickWeight;

/** Divides what bricks hold by their capacity weights, so that comparisons of bricks give each brick its share. */
public final class WeightedLoad {
    /*
     * A brick of weight w counts as filled to f / w, where f is the filled part of its memory. So a brick of weight 2
     * gets twice as much as a brick of weight 1 that has as much memory. A weight above 1 counts less and less once
     * the memory is filled to FREE_FILL, and no longer in a full memory: there the load is 1, as of each full brick.
     * Otherwise a heavy brick with little memory would get copies that it cannot hold. The load is continuous and
     * grows with f, so that balancing comes to an end.
     */
    private static final double FREE_FILL = 0.75;

    private WeightedLoad() {}

    /**
     * The filled part of a brick's memory, divided by the brick's weight.
     *
     * @param weight in hundredths
     */
    static double fill(double bytes, long limitBytes, int weight) {
        double fill = bytes / Math.max(1, limitBytes);
        double factor = (double) weight / BrickWeight.DEFAULT_HUNDREDTHS;
        if (factor <= 1 || fill <= FREE_FILL) {
            return fill / factor;
        }
        double bend = FREE_FILL / factor;
        return bend + (fill - FREE_FILL) / (1 - FREE_FILL) * (1 - bend);
    }

    /**
     * The load of a brick that gets one more of some equal things, in millionths of what a brick of weight 1 gets.
     *
     * @param count number of the things that the brick has
     * @param weight in hundredths
     */
    public static long withOneMore(int count, int weight) {
        return (count + 1L) * 1_000_000 * BrickWeight.DEFAULT_HUNDREDTHS / weight;
    }
}
