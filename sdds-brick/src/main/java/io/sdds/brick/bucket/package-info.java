/**
 * Buckets: the records of one partition and how they are found. A hash partition's bucket is a file of local linear
 * hashing over the record store.
 *
 * <p>A bucket belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.bucket;

import org.jspecify.annotations.NullMarked;
