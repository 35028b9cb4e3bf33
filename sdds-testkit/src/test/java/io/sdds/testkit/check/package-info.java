@NullMarked
package io.sdds.testkit.check;

import org.jspecify.annotations.NullMarked;
