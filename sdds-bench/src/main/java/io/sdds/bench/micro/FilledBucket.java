package io.sdds.bench.micro;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.bucket.PutResult;

/** A hash bucket with values of 150 bytes. */
final class FilledBucket extends Filled {
    static final int VALUE_BYTES = 150;

    final HashBucket bucket = new HashBucket(store, 0);

    FilledBucket(int records) {
        super(records, VALUE_BYTES);
    }

    @Override
    HashBucket bucket() {
        return bucket;
    }

    @Override
    PutResult put(int index) {
        long at = keys.offset(index);
        return bucket.put(keys.hash(index), keys.segment(), at, KeySet.KEY_BYTES, value, 0, VALUE_BYTES, index, false);
    }

    @Override
    boolean remove(int index) {
        return bucket.remove(keys.hash(index), keys.segment(), keys.offset(index), KeySet.KEY_BYTES);
    }
}
