@NullMarked
package io.sdds.bench;

import org.jspecify.annotations.NullMarked;
