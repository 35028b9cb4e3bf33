package io.sdds.brick.bucket;

/** Is called with records of a ranked bucket, one after the other. A visitor may not change the bucket. */
@FunctionalInterface
public interface RankVisitor {

    /**
     * Sees a record.
     *
     * @param rank the record's rank
     * @param ref names the record in the record store; valid during the call
     */
    void visit(int rank, long ref);
}
