package io.sdds.brick.range;

/** Is called with records of a bucket in key order. A visitor may not change the bucket. */
@FunctionalInterface
public interface RangeVisitor {

    /**
     * Sees a record.
     *
     * @param ref names it in the record store; valid during the call
     * @return whether to go on
     */
    boolean visit(long ref);
}
