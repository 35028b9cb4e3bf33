package io.sdds.brick.range;

import java.util.Arrays;
import java.util.Random;

/** Keys that are hard on a tree, each kind on another part of it. */
enum Keys {
    /** Any bytes, of any small length. */
    RANDOM {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(12)];
            new Random(random.nextInt(keys)).nextBytes(key);
            return key;
        }
    },
    /** Few different bytes: many keys are the beginning of others. */
    NESTED {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(24)];
            for (int i = 0; i < key.length; i++) {
                key[i] = (byte) (random.nextInt(8) == 0 ? -1 : 0);
            }
            return key;
        }
    },
    /** Zeros only, or 0xFF only, of all lengths. */
    MONOTONOUS {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(Math.min(keys, 3000))];
            Arrays.fill(key, (byte) (random.nextBoolean() ? 0 : -1));
            return key;
        }
    },
    /** More in common than a head tells, in a few groups. */
    LONG_PREFIXES {
        @Override
        byte[] key(Random random, int keys) {
            int number = random.nextInt(keys);
            String group = "/group-" + number % 5 + "/of keys that begin alike".repeat(number % 5) + "/";
            return RangeFixture.bytes(group + number + "x".repeat(number % 3));
        }
    },
    /** As far as keys may go: 65,535 bytes that differ at the very end, and short ones among them. */
    LARGE {
        @Override
        byte[] key(Random random, int keys) {
            int number = random.nextInt(Math.min(keys, 400));
            byte[] key = new byte[number % 7 == 0 ? 1 + number % 9 : 65_535 - number % 3];
            key[key.length - 1] = (byte) number;
            key[0] = (byte) (number >>> 8);
            return key;
        }
    },
    /** Numbers as text, as applications make them. */
    NUMBERS {
        @Override
        byte[] key(Random random, int keys) {
            return RangeFixture.key(random.nextInt(keys));
        }
    };

    /** One of about {@code keys} keys. */
    abstract byte[] key(Random random, int keys);
}
